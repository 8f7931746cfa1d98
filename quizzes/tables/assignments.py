"""The tests that cohorts sit: a named blueprint of the course and one cohort's conditions."""

from typing import ClassVar
from zoneinfo import ZoneInfo

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from courseware.accounts.models import Cohort, Enrolment, User
from courseware.statements import Given
from quizzes.timing import Terms


class Feedback(models.TextChoices):
    """When a learner sees marks, or explanations; `feedback.py` decides by it."""

    AT_ONCE = "at once"
    AT_HAND_IN = "at hand-in"
    AFTER_CLOSING = "after closing"
    NEVER = "never"


class Counts(models.TextChoices):
    """Which of several attempts is the result. The best one of a test that is practice is shown and never counts."""

    BEST = "best"
    LAST = "last"
    FIRST = "first"
    NONE = "none"


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    def for_learner(self, user: User | Given) -> "AssignmentQuerySet":
        """Keep the tests of cohorts in which this person learns; a withdrawn learner keeps those already sat."""
        mine = Enrolment.objects.learners().filter(user=user)
        sat = mine.filter(sittings__isnull=False).values("sittings__assignment")
        return self.filter(Q(cohort__in=mine.active().values("cohort")) | Q(pk__in=sat))


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
    late_until = models.DateTimeField(null=True, blank=True, help_text="answers are taken at a price; not if empty")
    late_percent_per_day = models.PositiveSmallIntegerField(
        default=0, validators=[MaxValueValidator(100)], help_text="of the marks earned, for each 24 hours begun"
    )
    attempts = models.PositiveSmallIntegerField(default=1, validators=[MinValueValidator(1)])
    counts = models.CharField(max_length=8, choices=Counts, default=Counts.BEST)
    seed = models.CharField(max_length=32, blank=True, help_text="of the one paper for everybody; empty: one each")
    marks_shown = models.CharField(
        max_length=20, choices=Feedback, default=Feedback.AT_HAND_IN, help_text="when learners see their marks"
    )
    explanations_shown = models.CharField(
        max_length=20,
        choices=Feedback,
        default=Feedback.AT_HAND_IN,
        help_text="when learners see what is right and why",
    )
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
            models.CheckConstraint(
                condition=Q(late_until=None) | Q(closes_at__isnull=False, late_until__gt=F("closes_at")),
                name="assignment_late_is_after_closing",
            ),
            models.CheckConstraint(condition=Q(late_percent_per_day__lte=100), name="assignment_late_percent_to_100"),
            models.CheckConstraint(condition=Q(counts__in=Counts.values), name="assignment_counting_rule_is_known"),
            models.CheckConstraint(
                condition=Q(marks_shown__in=Feedback.values, explanations_shown__in=Feedback.values),
                name="assignment_feedback_is_known",
            ),
            models.CheckConstraint(
                condition=Q(closes_at__isnull=False)
                | ~Q(marks_shown=Feedback.AFTER_CLOSING) & ~Q(explanations_shown=Feedback.AFTER_CLOSING),
                name="assignment_that_shows_after_closing_closes",
                violation_error_message="A test that never closes cannot show anything after closing.",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} of {self.cohort}"

    @property
    def terms(self) -> Terms:
        return Terms(closes_at=self.closes_at, late_until=self.late_until, minutes=self.minutes, attempts=self.attempts)

    @property
    def is_practice(self) -> bool:
        """Tell whether this test is for practice alone, and so part of no grade."""
        return self.counts == Counts.NONE

    @property
    def zone(self) -> ZoneInfo:
        """The time zone in which every instant of this test is shown."""
        return self.cohort.zone


class Extension(models.Model):
    """More minutes or attempts in one test for one learner, given once. Append only; what was given adds up."""

    assignment = models.ForeignKey(Assignment, on_delete=models.PROTECT, related_name="extensions")
    enrolment = models.ForeignKey(Enrolment, on_delete=models.PROTECT, related_name="extensions")
    minutes = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    given_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    given_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(minutes__gt=0) | Q(attempts__gt=0), name="extension_gives_something"),
        ]

    def __str__(self) -> str:
        return f"{self.minutes} minutes and {self.attempts} attempts more for {self.enrolment}"
