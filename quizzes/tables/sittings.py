"""What learners did in tests: sittings, the questions drawn for each, and what was answered.

Rows change only through the verbs in `quizzes/sittings.py`.
"""

import hashlib
import uuid
from datetime import datetime
from typing import ClassVar

from django.db import models
from django.db.models import F, Q

from courseware.accounts.models import Enrolment, User
from courseware.statements import Given
from quizzes.questions import Answer, Variant
from quizzes.tables.assignments import Assignment
from quizzes.tables.snapshots import QuestionSnapshot
from quizzes.timing import GRACE

# Four places keep a third of a mark apart from 0.33; six digits before them are more than any module has.
_DIGITS, _PLACES = 10, 4


class ClosedBy(models.TextChoices):
    LEARNER = "learner"
    DEADLINE = "deadline"


class SittingQuerySet(models.QuerySet["Sitting"]):
    def of(self, user: User | Given) -> "SittingQuerySet":
        """Keep what this person sat."""
        return self.filter(enrolment__user=user)

    def closed(self) -> "SittingQuerySet":
        return self.filter(closed_at__isnull=False)

    def due(self, now: datetime | Given) -> "SittingQuerySet":
        """Keep those still open of which nothing is taken any more."""
        return self.filter(closed_at=None, deadline_at__lte=now - GRACE)


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
    on_time_until = models.DateTimeField(null=True, blank=True, help_text="answers after it are late; never if empty")
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.CharField(max_length=12, choices=ClosedBy, blank=True)
    mark = models.DecimalField(
        max_digits=_DIGITS,
        decimal_places=_PLACES,
        null=True,
        blank=True,
        help_text="earned; set when the sitting is closed",
    )
    days_late = models.PositiveSmallIntegerField(default=0)
    taken_off = models.DecimalField(
        max_digits=_DIGITS, decimal_places=_PLACES, default=0, help_text="for being late; the mark is what is left"
    )
    out_of = models.DecimalField(max_digits=_DIGITS, decimal_places=_PLACES, help_text="the marks of all its questions")

    is_just_drawn = False  # by the request that has it in hand: then nobody need ask what of it is answered

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
            models.CheckConstraint(condition=Q(taken_off__gte=0), name="sitting_lateness_adds_no_marks"),
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
    save_id = models.CharField(max_length=32, blank=True, help_text="<page>-<number> of the last save, as sent")
    answer = models.JSONField(null=True, blank=True, help_text="parts in the kind's own terms; null while open")
    saved_at = models.DateTimeField(null=True, blank=True)
    final_at = models.DateTimeField(
        null=True, blank=True, help_text="when the learner made it final, where a test shows something at once"
    )
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
            models.CheckConstraint(
                condition=Q(final_at=None) | Q(answer__isnull=False), name="response_that_is_final_is_answered"
            ),
        ]

    def __str__(self) -> str:
        return f"response to {self.slot_id}, revision {self.revision}"

    @property
    def given(self) -> Answer | None:
        """The answer as the kind reads it, None while the question is open."""
        return None if self.answer is None else Answer(tuple(self.answer))
