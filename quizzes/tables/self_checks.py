"""What people picked in the self-checks of cards."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from quizzes.tables.snapshots import QuestionSnapshot


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
