"""What learners say is wrong with a question, and whether staff have dealt with it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from courseware.accounts.models import Cohort
from quizzes.questions import Answer, Variant
from quizzes.tables.practice import PracticeAnswer
from quizzes.tables.sittings import Slot
from quizzes.tables.snapshots import QuestionSnapshot

LONGEST_REPORT = 1000  # characters: what is wrong with one question is said in a paragraph


class Complaint(models.TextChoices):
    """What a learner thinks is wrong."""

    KEY = "key", "What counts as right"
    WORDING = "wording", "How the question is worded"
    EXPLANATION = "explanation", "An explanation"
    OTHER = "other", "Something else"


class QuestionReport(models.Model):
    """One learner's report of one question, with the variant and the answer that they had before them."""

    cohort = models.ForeignKey(Cohort, on_delete=models.PROTECT, related_name="reports", help_text="whose staff see it")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="reports")
    question_id = models.CharField(max_length=160)
    snapshot = models.ForeignKey(QuestionSnapshot, on_delete=models.PROTECT, related_name="reports")
    parameters = models.JSONField(default=dict)
    option_order = models.JSONField(default=list)
    answer = models.JSONField(null=True, blank=True, help_text="null where the question was left open")
    slot = models.ForeignKey(Slot, null=True, blank=True, on_delete=models.PROTECT, related_name="reports")
    practice_answer = models.ForeignKey(
        PracticeAnswer, null=True, blank=True, on_delete=models.PROTECT, related_name="reports"
    )
    complaint = models.CharField(max_length=12, choices=Complaint)
    text = models.TextField(max_length=LONGEST_REPORT)
    at = models.DateTimeField(default=timezone.now)
    dealt_with_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering: ClassVar = ["-at"]
        indexes: ClassVar = [models.Index(fields=["cohort", "dealt_with_at"], name="report_of_cohort")]
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["user", "question_id"], condition=Q(dealt_with_at=None), name="report_one_open_per_question"
            ),
            models.CheckConstraint(condition=Q(complaint__in=Complaint.values), name="report_complaint_is_known"),
            models.CheckConstraint(
                condition=Q(slot__isnull=False, practice_answer=None) | Q(slot=None, practice_answer__isnull=False),
                name="report_comes_from_a_test_or_from_practice",
            ),
        ]

    def __str__(self) -> str:
        return f"report of {self.question_id}"

    @property
    def variant(self) -> Variant:
        return Variant(parameters=self.parameters, option_order=tuple(self.option_order))

    @property
    def given(self) -> Answer | None:
        return None if self.answer is None else Answer(tuple(self.answer))

    @property
    def is_open(self) -> bool:
        return self.dealt_with_at is None
