"""Makes the first people, so that a new site can be looked at at once."""

import secrets
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from courseware.accounts.models import Cohort, Role, User
from courseware.accounts.people import add_user
from courseware.management.cohorts import add_cohort


class Command(BaseCommand):
    help = "On a site without people: add a cohort, a learner and an instructor; print their passwords, this once."

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        if User.objects.exists():
            return
        with transaction.atomic():
            cohort = add_cohort("First cohort")
            lines = [
                self._add(cohort, Role.LEARNER, email="learner@example.org", name="Learner 1"),
                self._add(cohort, Role.INSTRUCTOR, email="instructor@example.org", name="Instructor 1"),
            ]
        self.stdout.write("Two people can sign in. Their passwords are shown this once and kept nowhere:")
        for line in lines:
            self.stdout.write(line)

    def _add(self, cohort: Cohort, role: Role, *, email: str, name: str) -> str:
        password = secrets.token_urlsafe(12)
        add_user(email=email, name=name, password=password, cohort=cohort, role=role)
        return f"  {role.label:<11} {email:<24} {password}"
