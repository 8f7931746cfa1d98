"""Gives a person a new password, when a letter cannot."""

import secrets
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser

from courseware.accounts.models import User
from courseware.accounts.passwords import asked_password, drop_second_factor, set_password


class Command(BaseCommand):
    help = (
        "Set somebody's password. It is asked for, read from standard input, or drawn and printed once."
        " Wherever they are signed in, they are signed out."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        parser.add_argument("--draw-password", action="store_true", help="draw a password and print it once")
        parser.add_argument(
            "--drop-second-factor", action="store_true", help="for somebody who lost the app and the recovery codes"
        )

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        user = User.objects.filter(email=options["email"].strip().lower()).first()
        if user is None:
            raise CommandError(f"Nobody here has the address {options['email']!r}.")
        password = secrets.token_urlsafe(12) if options["draw_password"] else asked_password()
        try:
            set_password(user, password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        self.stdout.write(f"{user.name} <{user.email}> has a new password and is signed out everywhere.")
        if options["drop_second_factor"]:
            had_one = drop_second_factor(user)
            self.stdout.write("The second factor is off." if had_one else "There was no second factor.")
        if options["draw_password"]:
            self.stdout.write(f"Password, shown this once: {password}")
