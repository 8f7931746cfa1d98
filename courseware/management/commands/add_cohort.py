"""Adds one cohort and says how learners join it."""

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from courseware.accounts.joining import join_link
from courseware.accounts.models import User
from courseware.management.cohorts import add_cohort


class Command(BaseCommand):
    help = "Add a cohort with the module's test; prints the link by which learners join."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument(
            "--time-zone", default="UTC", help="such as Europe/Vienna; deadlines are typed and shown in it"
        )
        parser.add_argument("--instructor", metavar="EMAIL", help="somebody who has an account already")

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        instructor = None
        if options["instructor"]:
            instructor = User.objects.filter(email=options["instructor"].lower(), is_active=True).first()
            if instructor is None:
                raise CommandError(
                    f"Nobody here has the address {options['instructor']!r}."
                    " Add them first: manage.py add_user EMAIL NAME --draw-password"
                )
        try:
            cohort = add_cohort(options["name"].strip(), time_zone=options["time_zone"], instructor=instructor)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write(f"Added {cohort.name}. Learners join at {join_link(cohort)}")
