"""The stored analysis of a test, so that a page need not work it out anew."""

from django.db import models
from django.utils import timezone

from quizzes.tables.assignments import Assignment


class ItemAnalysis(models.Model):
    """What was last worked out about the questions of one test. It can be made anew at any time."""

    assignment = models.OneToOneField(Assignment, on_delete=models.CASCADE, related_name="analysis")
    responses_digest = models.CharField(max_length=64, help_text="of what was answered; another one makes this stale")
    computed_at = models.DateTimeField(default=timezone.now)
    body = models.JSONField(help_text="as courseware/results/analysis/report.py writes it")

    def __str__(self) -> str:
        return f"analysis of {self.assignment_id}"
