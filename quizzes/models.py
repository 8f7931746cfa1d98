"""What people did in tests and self-checks, and the questions as they were asked then.

Files hold the questions; these tables hold what was drawn and answered, and never flow back. Rows change only through
the verbs in `sittings.py` and `self_checks.py`.
"""

import hashlib
import uuid
from datetime import datetime
from typing import ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from courseware.accounts.models import Cohort, Enrolment, User
from quizzes.freezing import canonical, thaw
from quizzes.questions import Answer, Question, Variant

# Four places keep a third of a mark apart from 0.33; six digits before them are more than any module has.
_DIGITS, _PLACES = 10, 4


class QuestionSnapshot(models.Model):
    """One version of a question, whole, written when it is first asked and never changed."""

    question_id = models.CharField(max_length=160, help_text="<concept>/<name>, permanent")
    content_digest = models.CharField(max_length=64, unique=True, help_text="changes with anything a learner sees")
    marking_digest = models.CharField(max_length=64, help_text="changes only with what decides a mark")
    body = models.JSONField(help_text="the whole question; see quizzes/freezing.py")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.question_id} ({self.content_digest[:8]})"

    def question(self) -> Question:
        """Return the question as it was when this was written."""
        # A database may give the keys of an object in another order; the canonical text is the same for all.
        return thaw(canonical(self.body))


class Feedback(models.TextChoices):
    """When a learner sees marks and explanations."""

    AT_HAND_IN = "at hand-in"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def for_learner(self, user: User) -> "AssignmentQuerySet":
        """Keep the tests of cohorts in which this person learns; a withdrawn learner keeps those already sat."""
        mine = Enrolment.objects.learners().filter(user=user)
        return self.filter(Q(cohort__enrolments__in=mine.active()) | Q(sittings__enrolment__in=mine)).distinct()


class Assignment(models.Model):
    """A test that a cohort sits: a named blueprint of the course and the conditions of this cohort."""

    cohort = models.ForeignKey(Cohort, on_delete=models.PROTECT, related_name="assignments")
    blueprint = models.CharField(max_length=60, help_text="name in blueprint.yaml; read when a sitting is opened")
    title = models.CharField(max_length=120)
    opens_at = models.DateTimeField(null=True, blank=True, help_text="from the start if empty")
    closes_at = models.DateTimeField(null=True, blank=True, help_text="never if empty; ends sittings still open")
    minutes = models.PositiveSmallIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="from opening a sitting; no limit if empty"
    )
    attempts = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])
    feedback = models.CharField(max_length=20, choices=Feedback, default=Feedback.AT_HAND_IN)
    created_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar = AssignmentQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cohort", "title"], name="assignment_title_once_per_cohort"),
            models.CheckConstraint(condition=Q(attempts__gte=1), name="assignment_allows_an_attempt"),
            models.CheckConstraint(condition=Q(minutes=None) | Q(minutes__gte=1), name="assignment_minutes_positive"),
            models.CheckConstraint(
                condition=Q(opens_at=None) | Q(closes_at=None) | Q(closes_at__gt=F("opens_at")),
                name="assignment_closes_after_it_opens",
            ),
            models.CheckConstraint(condition=Q(feedback__in=Feedback.values), name="assignment_feedback_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.cohort}"

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which every instant of this test is shown."""
        return ZoneInfo(self.cohort.time_zone)


class ClosedBy(models.TextChoices):
    LEARNER = "learner"
    DEADLINE = "deadline"


class SittingQuerySet(models.QuerySet["Sitting"]):
    def of(self, user: User) -> "SittingQuerySet":
        """Keep what this person sat."""
        return self.filter(enrolment__user=user)

    def closed(self) -> "SittingQuerySet":
        return self.filter(closed_at__isnull=False)

    def due(self, now: datetime) -> "SittingQuerySet":
        """Keep those still open whose time is up."""
        return self.filter(closed_at=None, deadline_at__lte=now)


class Sitting(models.Model):
    """One learner's run through a paper. Belongs to the enrolment, since the test is a cohort's."""

    # Random, since it stands in addresses.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="sittings")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="sittings")
    attempt = models.PositiveSmallIntegerField(help_text="1 for the first")
    seed = models.CharField(max_length=32, help_text="decides the paper; the same seed and bank give the same paper")
    opened_at = models.DateTimeField()
    deadline_at = models.DateTimeField(null=True, blank=True, help_text="by the server's clock; none if empty")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.CharField(max_length=12, choices=ClosedBy, blank=True)
    mark = models.DecimalField(
        max_digits=_DIGITS,
        decimal_places=_PLACES,
        null=True,
        blank=True,
        help_text="earned; set when the sitting is closed",
    )
    out_of = models.DecimalField(max_digits=_DIGITS, decimal_places=_PLACES, help_text="the marks of all its questions")

    objects: ClassVar = SittingQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["assignment", "enrolment", "attempt"], name="sitting_attempt_once"),
            # Two clicks at once must not open two papers.
            models.UniqueConstraint(
                fields=["assignment", "enrolment"], condition=Q(closed_at=None), name="sitting_one_open_at_a_time"
            ),
            models.CheckConstraint(condition=Q(attempt__gte=1), name="sitting_attempt_counts_from_one"),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed_by="", mark=None)
                | Q(closed_at__isnull=False, closed_by__in=ClosedBy.values, mark__isnull=False),
                name="sitting_is_open_or_closed_and_marked",
            ),
            models.CheckConstraint(
                condition=Q(mark=None) | Q(mark__gte=0, mark__lte=F("out_of")), name="sitting_mark_within_bounds"
            ),
            models.CheckConstraint(
                condition=Q(deadline_at=None) | Q(deadline_at__gt=F("opened_at")), name="sitting_deadline_after_opening"
            ),
        ]

    def __str__(self) -> str:
        return f"sitting {self.id}"

    @property
    def is_closed(self) -> bool:
        return self.closed_at is not None

    @property
    def receipt(self) -> str:
        """A short code by which a learner and staff can name a sitting that was handed in."""
        # Letters and digits that are not mistaken for each other when read aloud.
        alphabet = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
        digest = hashlib.sha256(self.id.bytes).digest()
        code = "".join(alphabet[byte % len(alphabet)] for byte in digest[:6])
        return f"{code[:4]}-{code[4:]}"


class Slot(models.Model):
    """One place on a paper, with everything that was drawn for it. Only the flag ever changes."""

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="slots")
    position = models.PositiveSmallIntegerField(help_text="1 for the first")
    question_id = models.CharField(max_length=160)
    concept_id = models.CharField(max_length=80, help_text="for counting by concept")
    snapshot = models.ForeignKey(QuestionSnapshot, on_delete=models.PROTECT, related_name="slots")
    parameters = models.JSONField(default=dict, help_text="the numbers that were drawn")
    option_order = models.JSONField(default=list, help_text="option ids as this learner meets them")
    marks = models.DecimalField(max_digits=_DIGITS, decimal_places=_PLACES, help_text="that a right answer earns")
    flagged = models.BooleanField(default=False, help_text="marked by the learner to look at again")

    class Meta:
        ordering: ClassVar = ["position"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["sitting", "position"], name="slot_position_once_per_sitting"),
            models.UniqueConstraint(fields=["sitting", "question_id"], name="slot_question_once_per_sitting"),
            models.CheckConstraint(condition=Q(position__gte=1), name="slot_position_counts_from_one"),
            models.CheckConstraint(condition=Q(marks__gt=0), name="slot_marks_positive"),
        ]

    def __str__(self) -> str:
        return f"question {self.position} of {self.sitting_id}"

    @property
    def variant(self) -> Variant:
        return Variant(parameters=self.parameters, option_order=tuple(self.option_order))


class Response(models.Model):
    """What was answered in a slot. The row exists from the start, so that saving never races with making it."""

    slot = models.OneToOneField(Slot, on_delete=models.CASCADE, related_name="response")
    revision = models.PositiveIntegerField(default=0, help_text="grows with each save; an older one cannot overwrite")
    answer = models.JSONField(null=True, blank=True, help_text="parts in the kind's own terms; null while open")
    saved_at = models.DateTimeField(null=True, blank=True)
    mark = models.DecimalField(
        max_digits=_DIGITS, decimal_places=_PLACES, null=True, blank=True, help_text="set when the sitting is closed"
    )
    misconception_ids = models.JSONField(default=list, help_text="of misconceptions and slips that the answer shows")
    marked_from = models.CharField(max_length=64, blank=True, help_text="marking digest of the question used")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(mark=None) | Q(mark__gte=0), name="response_mark_not_negative"),
            models.CheckConstraint(
                condition=Q(mark=None, marked_from="") | (Q(mark__isnull=False) & ~Q(marked_from="")),
                name="response_mark_says_what_it_was_marked_from",
            ),
            models.CheckConstraint(
                condition=Q(revision=0, saved_at__isnull=True, answer__isnull=True)
                | Q(revision__gt=0, saved_at__isnull=False),
                name="response_saved_or_untouched",
            ),
        ]

    def __str__(self) -> str:
        return f"response to {self.slot_id}, revision {self.revision}"

    @property
    def given(self) -> Answer | None:
        """The answer as the kind reads it, None while the question is open."""
        return None if self.answer is None else Answer(tuple(self.answer))


class EventKind(models.TextChoices):
    OPENED = "opened"
    SAVED = "saved"
    REFUSED = "refused"
    FLAGGED = "flagged"
    UNFLAGGED = "unflagged"
    CLOSED = "closed"


class Event(models.Model):
    """What happened in a sitting, in order. Append only: it settles what was received and when."""

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="events")
    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, null=True, blank=True, related_name="events")
    kind = models.CharField(max_length=12, choices=EventKind)
    at = models.DateTimeField()
    detail = models.JSONField(default=dict, help_text="the revision and the answer of a save; the reason of a refusal")

    class Meta:
        ordering: ClassVar = ["at", "id"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__in=EventKind.values), name="event_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at}"


class SelfCheckPick(models.Model):
    """A learner's first pick in a card's self-check. Never part of a mark; never changed."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="self_check_picks")
    snapshot = models.ForeignKey(QuestionSnapshot, on_delete=models.PROTECT, related_name="picks")
    question_id = models.CharField(max_length=160)
    concept_id = models.CharField(max_length=80)
    option_id = models.CharField(max_length=80)
    option_order = models.JSONField(default=list, help_text="option ids as the learner met them")
    is_right = models.BooleanField()
    misconception_ids = models.JSONField(default=list)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            # The first pick counts: a second row cannot exist, even when the question was edited since.
            models.UniqueConstraint(fields=["user", "question_id"], name="self_check_pick_is_the_first"),
        ]

    def __str__(self) -> str:
        return f"{self.option_id} in {self.question_id}"
