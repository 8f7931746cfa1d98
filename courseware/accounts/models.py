"""People, the cohorts they belong to, and their roles there. Knows nothing of cards, tests or exercises.

A role lives on the enrolment: the same person may teach one cohort and learn in another.
"""

import secrets
import uuid
import zoneinfo
from decimal import Decimal
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from courseware.accounts.names import readable
from courseware.statements import Given, Statement

JOIN_CODE_LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"  # none that is mistaken for another when read aloud
JOIN_CODE_LENGTH = 8  # 39 bits: at the rate at which wrong codes are taken, nobody finds one


_BY_KEY: Statement["User"] = Statement(
    lambda: (
        User.objects.filter(pk=Given("key", int))
        .defer("date_joined")  # no page says it, and an instant takes a tenth of all this to read
        .annotate(is_staff_of_any=models.Exists(Enrolment.objects.active().staff().filter(user=models.OuterRef("pk"))))
    )
)


class UserManager(BaseUserManager["User"]):
    """Makes users whose e-mail address is their name for signing in."""

    def get(self, *args: Any, **fields: Any) -> "User":
        # By the key alone Django asks for who is signed in, on every page; each also wants to know whether they teach.
        if args or fields.keys() != {"pk"}:
            return super().get(*args, **fields)
        user = _BY_KEY.first(key=fields["pk"])
        if user is None:
            raise User.DoesNotExist("no person has this key")
        return user

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "User":
        return self.create_user(email, password, is_staff=True, **fields)


class User(AbstractBaseUser):
    """Somebody who can sign in."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    email = models.EmailField("e-mail address", unique=True)
    name = models.CharField(max_length=150, validators=[readable])
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False, help_text="operates the site; no right over any cohort follows")
    date_joined = models.DateTimeField(default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(Lower("email"), name="user_email_unique_whatever_its_case"),
        ]

    def __str__(self) -> str:
        return self.name or self.email


def draw_join_code() -> str:
    return "".join(secrets.choice(JOIN_CODE_LETTERS) for _ in range(JOIN_CODE_LENGTH))


def _known_time_zone(value: str) -> None:
    if value not in zoneinfo.available_timezones():
        raise ValidationError(f"{value} is not the name of a time zone, such as Europe/Vienna.")


class Cohort(models.Model):
    """A group of people who take one module together, in one time zone."""

    name = models.CharField(max_length=120, unique=True, validators=[readable])
    module = models.SlugField(max_length=60, help_text="id of the module in the course directory")
    time_zone = models.CharField(max_length=60, default="UTC", validators=[_known_time_zone])
    join_code = models.CharField(max_length=JOIN_CODE_LENGTH, unique=True, default=draw_join_code)
    joining_is_open = models.BooleanField(default=True, help_text="whether the join code lets anybody in")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> zoneinfo.ZoneInfo:
        """The time zone in which staff and learners read every instant."""
        return zoneinfo.ZoneInfo(self.time_zone)


class Role(models.TextChoices):
    LEARNER = "learner"
    ASSISTANT = "assistant"
    INSTRUCTOR = "instructor"


class EnrolmentQuerySet(models.QuerySet["Enrolment"]):
    def active(self) -> "EnrolmentQuerySet":
        return self.filter(withdrawn_at=None, user__is_active=True)

    def learners(self) -> "EnrolmentQuerySet":
        return self.filter(role=Role.LEARNER)

    def staff(self) -> "EnrolmentQuerySet":
        return self.filter(role__in=[Role.ASSISTANT, Role.INSTRUCTOR])


class Enrolment(models.Model):
    """One person's place and role in one cohort; it stays when the person withdraws, and so does the work."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="enrolments")
    cohort = models.ForeignKey(Cohort, on_delete=models.PROTECT, related_name="enrolments")
    role = models.CharField(max_length=12, choices=Role, default=Role.LEARNER)
    section = models.CharField(max_length=60, blank=True)
    enrolled_at = models.DateTimeField(default=timezone.now)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    objects: ClassVar = EnrolmentQuerySet.as_manager()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "cohort"], name="enrolment_once_per_cohort"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="enrolment_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role} in {self.cohort}"


class Accommodation(models.Model):
    """More time for one learner in every test of a cohort. Why is written nowhere: it is often a matter of health."""

    enrolment = models.OneToOneField(Enrolment, on_delete=models.PROTECT, related_name="accommodation")
    factor = models.DecimalField(
        max_digits=3, decimal_places=2, default=Decimal(1), help_text="of the minutes of a test"
    )
    extra_minutes = models.PositiveSmallIntegerField(default=0, help_text="added after the factor")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=models.Q(factor__gte=1), name="accommodation_takes_no_time_away"),
        ]

    def __str__(self) -> str:
        return f"{self.factor} times and {self.extra_minutes} minutes for {self.enrolment}"


class KeptFigures(models.Model):
    """Something worked out about a whole cohort, so that a page need not do it anew. It can be, and names nobody."""

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="kept_figures")
    name = models.CharField(max_length=40)
    digest = models.CharField(max_length=64, help_text="of what it was worked out from; another one makes it stale")
    computed_at = models.DateTimeField(default=timezone.now)
    body = models.JSONField(help_text="as whoever keeps it writes it")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["cohort", "name"], name="kept_figures_once_per_cohort"),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.cohort}"


class AuditEntry(models.Model):
    """One thing that staff or an operator changed: who, when, what, from what, to what. Append only."""

    who = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.PROTECT, related_name="+", help_text="empty: at the command line"
    )
    at = models.DateTimeField(default=timezone.now)
    verb = models.CharField(max_length=40)
    what = models.CharField(max_length=200, help_text="kind and key of what was changed, such as cohort 3")
    cohort = models.ForeignKey(Cohort, null=True, blank=True, on_delete=models.PROTECT, related_name="audit_entries")
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)

    class Meta:
        ordering: ClassVar = ["-at", "-pk"]
        indexes: ClassVar = [models.Index(fields=["cohort", "-at"], name="audit_entry_of_cohort")]

    def __str__(self) -> str:
        return f"{self.verb}: {self.what}"
