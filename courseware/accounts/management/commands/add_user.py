"""Adds one person, on a terminal or in a script."""

import secrets
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from courseware.accounts.models import Cohort, Role
from courseware.accounts.passwords import asked_password
from courseware.accounts.people import add_user


class Command(BaseCommand):
    help = "Add a person. The password is asked for, read from standard input, or drawn and printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("name")
        parser.add_argument("--cohort", help="name of the cohort to enrol in")
        parser.add_argument("--role", choices=Role.values, default=Role.LEARNER)
        parser.add_argument("--draw-password", action="store_true", help="draw a password and print it once")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        cohort = None
        if options["cohort"]:
            cohort = Cohort.objects.filter(name=options["cohort"]).first()
            if cohort is None:
                names = ", ".join(Cohort.objects.values_list("name", flat=True)) or "there is none yet"
                raise CommandError(f"No cohort is called {options['cohort']!r}. Known: {names}.")
        password = secrets.token_urlsafe(12) if options["draw_password"] else asked_password()
        try:
            validate_password(password)
            add_user(
                email=options["email"], name=options["name"], password=password, cohort=cohort, role=options["role"]
            )
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write(f"Added {options['name']} <{options['email']}>.")
        if options["draw_password"]:
            self.stdout.write(f"Password, shown this once: {password}")
