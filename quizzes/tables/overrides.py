"""Marks that staff set by hand, each with its reason."""

from typing import ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from courseware.accounts.models import User
from quizzes.tables.sittings import Sitting

LONGEST_REASON = 500  # characters; a sentence or three, which the learner reads too


class SittingMarkOverride(models.Model):
    """One change of the mark of a sitting by hand. Append only; the sitting holds the mark that counts."""

    sitting = models.ForeignKey(Sitting, on_delete=models.PROTECT, related_name="overrides")
    before = models.DecimalField(max_digits=10, decimal_places=4)
    after = models.DecimalField(max_digits=10, decimal_places=4)
    reason = models.CharField(max_length=LONGEST_REASON)
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(reason=""), name="sitting_mark_override_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.before} to {self.after} in {self.sitting_id}"
