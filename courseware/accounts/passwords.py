"""Verbs on what somebody signs in with, for the operator."""

import getpass
import sys

from allauth.mfa.models import Authenticator
from axes.utils import reset
from django.contrib.auth.password_validation import validate_password
from django.db import transaction

from courseware.accounts import audit
from courseware.accounts.models import User


@transaction.atomic
def set_password(user: User, password: str) -> None:
    """Give a person a new password: sessions end, links to a new password count no longer, a lock is lifted.

    Errors:  ValidationError if the password is too weak
    """
    validate_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    reset(username=user.email)
    audit.note(None, "set password", f"user {user.uuid}")


@transaction.atomic
def drop_second_factor(user: User) -> bool:
    """Turn off a second factor whose owner lost app and recovery codes; False if there was none."""
    deleted, _ = Authenticator.objects.filter(user=user).delete()
    if deleted:
        audit.note(None, "drop second factor", f"user {user.uuid}")
    return bool(deleted)


def asked_password() -> str:
    """Return a password from the terminal, or from standard input where nobody sits before it."""
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    return getpass.getpass("Password: ")
