"""The log of sittings. Append only: it settles what was received and when."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from quizzes.tables.sittings import Sitting, Slot


class EventKind(models.TextChoices):
    OPENED = "opened"
    SAVED = "saved"
    REFUSED = "refused"
    FLAGGED = "flagged"
    UNFLAGGED = "unflagged"
    EXTENDED = "extended"
    CLOSED = "closed"


class Event(models.Model):
    """What happened in a sitting, in order. The database itself refuses to change a row."""

    sitting = models.ForeignKey(Sitting, on_delete=models.CASCADE, related_name="events")
    slot = models.ForeignKey(Slot, on_delete=models.CASCADE, null=True, blank=True, related_name="events")
    kind = models.CharField(max_length=12, choices=EventKind)
    at = models.DateTimeField()
    detail = models.JSONField(default=dict, help_text="the revision and the answer of a save; the reason of a refusal")

    class Meta:
        ordering: ClassVar = ["at", "id"]
        # How often a learner saved within the last minute is asked at every save.
        indexes: ClassVar = [models.Index(fields=["sitting", "at"], name="event_of_sitting_at")]
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(kind__in=EventKind.values), name="event_kind_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} at {self.at}"
