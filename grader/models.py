"""Drafts, submissions, what their checks found, and the judges that were heard of.

Knows what a row may hold. How rows change is in `submissions.py` and `drafts.py`, what verdicts mean in `verdicts.py`.
A submission's row is the queue: the broker only carries copies of rows that were claimed here.
"""

import uuid
from datetime import datetime, timedelta
from decimal import Decimal
from typing import ClassVar, Self

from django.conf import settings
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery, Window
from django.db.models.functions import Coalesce, RowNumber
from django.utils import timezone
from django.utils.functional import cached_property

from courseware.accounts.models import User
from courseware.statements import Given, Statement
from grader import verdicts

MARK_PLACES = Decimal("0.0001")  # as the columns keep marks
DIGEST_LENGTH = 64  # a SHA-256 in hexadecimal
TICKET_LENGTH = 32  # 128 bits in hexadecimal

Moment = datetime | Given


class Draft(models.Model):
    """What a learner last typed for an exercise; the row with the highest revision is the current one.

    Saving raises the revision of the current row; a reset or a choice between two versions begins a new row, and the
    text that it replaces stays behind as history.
    """

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="drafts")
    exercise = models.SlugField(max_length=80)
    revision = models.PositiveIntegerField(help_text="counts saves, so that an old tab cannot overwrite a newer text")
    source = models.TextField(blank=True)
    saved_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "exercise", "revision"], name="draft_revision_once"),
        ]

    def __str__(self) -> str:
        return f"draft of {self.exercise} by {self.user_id}, revision {self.revision}"


class Kind(models.TextChoices):
    RUN = "run"  # the visible examples only; earns nothing
    SUBMIT = "submit"


class State(models.TextChoices):
    QUEUED = "queued"
    SENT = "sent"  # a judge was sent it and may be at work on it
    FINISHED = "finished"
    CANCELLED = "cancelled"  # taken back, or replaced by a newer one


LIVE = (State.QUEUED, State.SENT)
SERVED = Q(started_at__isnull=False)
COUNTED = Q(kind=Kind.SUBMIT, state=State.FINISHED, fault_of=verdicts.Owner.LEARNER.value)


class SubmissionQuerySet(models.QuerySet["Submission"]):
    def live(self) -> Self:
        return self.filter(state__in=LIVE)

    def out(self, now: Moment | None = None) -> Self:
        """Those that a judge may be working on: sent ones, and ones taken back while it worked."""
        at_work = Q(state=State.SENT) | Q(state=State.CANCELLED, lease_until__gt=now or timezone.now())
        return self.filter(at_work, lease_until__isnull=False)  # which all of them have: an index holds these alone

    def delivered_as(self, *, submission: str | Given, delivery: int | Given, ticket: str | Given) -> Self:
        """The row that this very delivery is about, or none: the lock that late, second and forged answers meet."""
        return self.filter(pk=submission, delivery=delivery, ticket=ticket).exclude(ticket="")

    def in_turn(self, now: Moment | None = None) -> Self:
        """Queued rows in fair order: everybody's first before anybody's second, then who was served longest ago."""
        theirs = Submission.objects.filter(user=OuterRef("user"))
        out = theirs.out(now).order_by().values("user").annotate(rows=Count("pk")).values("rows")
        served = theirs.exclude(pk=OuterRef("pk")).filter(SERVED).order_by("-started_at")
        before = Window(RowNumber(), partition_by="user", order_by=["queued_at", "pk"])
        # How many rows of its learner are out or queued before it; who has one back already is not the first any more.
        turn = before + Coalesce(Subquery(out, output_field=models.IntegerField()), 0)
        waiting = self.filter(state=State.QUEUED).annotate(
            turn=turn, served_at=Subquery(served.values("started_at")[:1])
        )
        return waiting.order_by("turn", F("served_at").asc(nulls_first=True), "queued_at", "pk")

    def counted(self) -> Self:
        """Those that can earn a mark: finished submits whose verdict is the learner's own doing."""
        return self.filter(COUNTED)


class Submission(models.Model):
    """One program that a learner handed to the grader, from the queue to its verdict."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="submissions")
    exercise = models.SlugField(max_length=80)
    exercise_digest = models.CharField(max_length=DIGEST_LENGTH)
    kind = models.CharField(max_length=6, choices=Kind)
    number = models.PositiveIntegerField(help_text="counts one learner's submits, or runs, of one exercise")
    source = models.TextField()
    seed = models.BigIntegerField(null=True, blank=True, help_text="drawn when first sent; never shown")

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    delivery = models.PositiveSmallIntegerField(default=0, help_text="how often it was sent to a judge")
    ticket = models.CharField(max_length=TICKET_LENGTH, blank=True, help_text="of the delivery that may answer")
    lease_until = models.DateTimeField(null=True, blank=True, help_text="after this it is taken for lost")
    queued_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True, help_text="when it was last sent")
    finished_at = models.DateTimeField(null=True, blank=True)

    verdict = models.CharField(
        max_length=20, blank=True, choices=[(each.value, each.value) for each in verdicts.Outcome]
    )
    fault_of = models.CharField(max_length=8, blank=True, choices=[(each.value, each.value) for each in verdicts.Owner])
    mark = models.DecimalField(max_digits=9, decimal_places=4, null=True, blank=True)
    marks_available = models.DecimalField(max_digits=9, decimal_places=4, null=True, blank=True)
    misconception_ids = models.JSONField(default=list, blank=True)
    evidence = models.JSONField(default=dict, blank=True, help_text="the verdict as the judge sent it, less its checks")
    behaviour_signature = models.CharField(max_length=DIGEST_LENGTH, blank=True)
    same_as = models.PositiveIntegerField(
        null=True, blank=True, help_text="number of the one with the same code, whose verdict it was given"
    )

    objects: ClassVar = SubmissionQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "exercise", "kind", "number"], name="submission_number_once"),
            models.UniqueConstraint(
                fields=["user", "exercise", "kind"], condition=Q(state__in=LIVE), name="submission_one_live_of_a_kind"
            ),
            models.CheckConstraint(condition=Q(state__in=State.values), name="submission_state_is_known"),
            models.CheckConstraint(condition=Q(kind__in=Kind.values), name="submission_kind_is_known"),
            models.CheckConstraint(
                condition=~Q(state=State.SENT)
                | (Q(lease_until__isnull=False, seed__isnull=False, delivery__gte=1) & ~Q(ticket="")),
                name="submission_sent_has_a_lease_and_a_ticket",
            ),
            models.CheckConstraint(
                condition=~Q(state=State.QUEUED) | Q(ticket="", lease_until=None),
                name="submission_queued_answers_to_no_ticket",
            ),
            models.CheckConstraint(
                condition=Q(state=State.FINISHED, finished_at__isnull=False, lease_until=None)
                & ~Q(verdict="")
                & ~Q(fault_of="")
                | ~Q(state=State.FINISHED) & Q(verdict="", fault_of="", mark=None),
                name="submission_finished_exactly_with_a_verdict",
            ),
            models.CheckConstraint(
                condition=Q(mark=None) | Q(kind=Kind.SUBMIT, mark__gte=0, mark__lte=F("marks_available")),
                name="submission_mark_in_range_and_never_for_a_run",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["user", "exercise", "-queued_at"], name="submission_history"),
            # The queue is read by every dispatch and every waiting page; finished rows are the many.
            models.Index(fields=["queued_at"], condition=Q(state__in=LIVE), name="submission_queue"),
            models.Index(fields=["user"], condition=Q(lease_until__isnull=False), name="submission_out"),
            models.Index(fields=["user", "-started_at"], condition=SERVED, name="submission_served"),
            # The figures for collectors: what ended within the hour, and how many ever by verdict.
            models.Index(fields=["finished_at", "verdict"], name="submission_ended"),
            # All that a gradebook asks for of thousands of rows, so that it need not read past their programs.
            models.Index(
                fields=["user", "kind", "exercise", "state", "fault_of", "verdict", "mark", "queued_at", "finished_at"],
                name="submission_standing",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.exercise} by {self.user_id}"

    @property
    def is_live(self) -> bool:
        return self.state in LIVE

    @property
    def is_run(self) -> bool:
        return self.kind == Kind.RUN

    @cached_property
    def checks(self) -> "list[CheckResult]":
        """What its checks found so far, as a page reads it; asked once, unlike `results`, which verbs change."""
        return _CHECKS.rows(submission=self.pk)

    @property
    def outcome(self) -> verdicts.Outcome | None:
        return verdicts.Outcome(self.verdict) if self.verdict else None


_CHECKS: Statement["CheckResult"] = Statement(
    lambda: CheckResult.objects.filter(submission=Given("submission", uuid.UUID)).order_by("position")
)


class CheckResult(models.Model):
    """What one check, or one visible example, found in one submission; rows appear while the judge is at work."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="results")
    is_example = models.BooleanField(default=False)
    position = models.PositiveSmallIntegerField()
    check_id = models.SlugField(max_length=80)
    title = models.CharField(max_length=200)
    outcome = models.CharField(max_length=12, choices=[(each.value, each.value) for each in verdicts.CheckOutcome])
    expected = models.TextField(blank=True)
    got = models.TextField(blank=True)
    largest_difference = models.FloatField(null=True, blank=True)
    tried_with = models.CharField(max_length=300, blank=True)
    hint = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["submission", "is_example", "check_id"], name="check_result_once_per_submission"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_id} {self.outcome}"

    @property
    def holds(self) -> bool:
        return self.outcome == verdicts.CheckOutcome.HOLDS.value

    @property
    def fails(self) -> bool:
        return self.outcome == verdicts.CheckOutcome.FAILS.value


LONGEST_REASON = 500  # characters; a sentence or three, which the learner reads too


class SubmissionMarkOverride(models.Model):
    """One change of the mark of a submission by hand. Append only; the submission holds the mark that counts."""

    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="overrides")
    before = models.DecimalField(max_digits=9, decimal_places=4)
    after = models.DecimalField(max_digits=9, decimal_places=4)
    reason = models.CharField(max_length=LONGEST_REASON)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(reason=""), name="submission_mark_override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.before} to {self.after} in {self.submission_id}"


class JudgeHostQuerySet(models.QuerySet["JudgeHost"]):
    def alive(self, lately: tuple[Moment, Moment] | None = None) -> Self:
        earliest, latest = lately or around(timezone.now())
        return self.filter(seen_at__gt=earliest, seen_at__lt=latest)

    def grading(self, lately: tuple[Moment, Moment] | None = None) -> Self:
        """Those alive that would take a submission."""
        return self.alive(lately).filter(refusal="")


def around(now: datetime) -> tuple[datetime, datetime]:
    """Return the moments between which a judge must have been heard of to be alive."""
    silent = timedelta(seconds=settings.GRADER_JUDGE_SILENT_SECONDS)
    # One that was heard of in the future was heard of before the clock was set back, and must speak again.
    return now - silent, now + silent


class JudgeHost(models.Model):
    """A judge as it last described itself; all that the site knows of it."""

    name = models.CharField(max_length=100, unique=True)
    seen_at = models.DateTimeField()
    rung = models.CharField(max_length=40, help_text="how it isolates learners' code")
    rung_reason = models.TextField(blank=True)
    device = models.CharField(max_length=100)
    versions = models.JSONField(default=dict)
    exercises_digest = models.CharField(max_length=DIGEST_LENGTH)
    libraries = models.JSONField(default=list)
    refusal = models.TextField(blank=True, help_text="why it grades nothing; empty while it grades")

    objects: ClassVar = JudgeHostQuerySet.as_manager()

    class Meta:
        ordering: ClassVar = ["name"]

    def __str__(self) -> str:
        return self.name
