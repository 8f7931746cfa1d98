"""What people answered in practice. Append only, and never part of a mark."""

import uuid
from decimal import Decimal
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from quizzes.questions import Answer, Variant
from quizzes.tables.snapshots import QuestionSnapshot


class PracticeAnswer(models.Model):
    """One answer to one variant of a practice question. It belongs to the person, not to a cohort."""

    # Random, since it stands in addresses.
    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="practice_answers")
    snapshot = models.ForeignKey(QuestionSnapshot, on_delete=models.PROTECT, related_name="practice_answers")
    question_id = models.CharField(max_length=160)
    concept_id = models.CharField(max_length=80, help_text="for counting by concept")
    number = models.PositiveIntegerField(
        help_text="1 for this person's first answer to the question; decides the variant"
    )
    parameters = models.JSONField(default=dict, help_text="the numbers that were drawn")
    option_order = models.JSONField(default=list, help_text="option ids as the learner met them")
    answer = models.JSONField(help_text="parts in the kind's own terms")
    # Six places tell every fraction apart that a kind gives: none has more than some dozens of parts.
    fraction = models.DecimalField(max_digits=7, decimal_places=6, help_text="1 for a right answer")
    misconception_ids = models.JSONField(default=list, help_text="of misconceptions and slips that the answer shows")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["at"]
        indexes: ClassVar = [models.Index(fields=["user", "at"], name="practice_answer_of_user")]
        constraints: ClassVar = [
            # Of two clicks at once the second finds the first one's row.
            models.UniqueConstraint(fields=["user", "question_id", "number"], name="practice_answer_once_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="practice_answer_counts_from_one"),
            models.CheckConstraint(
                condition=Q(fraction__gte=0, fraction__lte=1), name="practice_answer_fraction_within_bounds"
            ),
        ]

    def __str__(self) -> str:
        return f"answer {self.number} to {self.question_id}"

    @property
    def variant(self) -> Variant:
        return Variant(parameters=self.parameters, option_order=tuple(self.option_order))

    @property
    def given(self) -> Answer:
        return Answer(tuple(self.answer))

    @property
    def is_right(self) -> bool:
        return self.fraction == Decimal(1)
