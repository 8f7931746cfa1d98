"""What somebody has read, and when. The card itself is a file; this is only a trace of a person in it."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone


class Depth(models.TextChoices):
    FIVE = "five"
    FIFTEEN = "fifteen"
    DEEP = "deep"


class Reading(models.Model):
    """One person has opened one depth of one card; it belongs to the person, not to a cohort."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="readings")
    module = models.CharField(max_length=60)
    concept = models.CharField(max_length=80)
    depth = models.CharField(max_length=8, choices=Depth)
    first_at = models.DateTimeField(default=timezone.now)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "concept", "depth"], name="reading_once_per_depth"),
            models.CheckConstraint(condition=models.Q(depth__in=Depth.values), name="reading_depth_is_known"),
        ]
        indexes: ClassVar = [models.Index(fields=["user", "-last_at"], name="reading_latest")]

    def __str__(self) -> str:
        return f"{self.user} read {self.concept} ({self.depth})"
