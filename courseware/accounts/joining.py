"""Verbs of joining by code: find the cohort, join it, sign up through it; open, close and renew a code.

A code makes learners and nothing else: it neither raises nor lowers anybody who teaches.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.urls import reverse

from courseware.accounts import audit
from courseware.accounts.allowances import Allowance
from courseware.accounts.models import (
    JOIN_CODE_LENGTH,
    JOIN_CODE_LETTERS,
    Cohort,
    Enrolment,
    Role,
    User,
    draw_join_code,
)
from courseware.accounts.people import add_user

# Somebody signed in is counted alone. Strangers share the address of their lecture hall, so theirs is the larger
# number over the shorter time: a code of 39 bits outlasts it by far, and nobody keeps a class out for long.
_OF_A_PERSON = Allowance("wrong-codes-of-a-person", tries=10, seconds=300)
_FROM_AN_ADDRESS = Allowance("wrong-codes-from-an-address", tries=30, seconds=60)
# A full lecture hall behind one address may sign up within ten minutes; a program that makes accounts meets an end.
_SIGN_UPS = Allowance("sign-ups", tries=400, seconds=600)

_RENEW, _OPEN, _CLOSE = "renew join code", "open joining", "close joining"
VERBS = (_RENEW, _OPEN, _CLOSE)


class CodeRefusal(Enum):
    """Why a code leads nowhere, as a sentence that says what to do."""

    UNKNOWN = (
        "No cohort takes this code. Compare it letter by letter, or ask whoever gave it to you for the present one."
    )
    TOO_MANY = "Too many codes were wrong. Wait five minutes, then open the link you were given or enter its code."


@dataclass(frozen=True)
class Visitor:
    """Who tries a code: somebody signed in, or a stranger at an address."""

    user: User | None
    origin: str

    @property
    def _counted(self) -> tuple[Allowance, str]:
        return (_FROM_AN_ADDRESS, self.origin) if self.user is None else (_OF_A_PERSON, str(self.user.pk))

    def may_try(self) -> bool:
        allowance, by = self._counted
        return not allowance.is_used_up(by)

    def was_wrong(self) -> None:
        allowance, by = self._counted
        allowance.take(by)

    def may_sign_up(self) -> bool:
        """Take one of the sign-ups of this address; False if none was left."""
        return _SIGN_UPS.take(self.origin)


def plain_code(typed: str) -> str:
    """Return a code as it is stored, whatever its case and however it was grouped; empty if no code can look so."""
    code = "".join(character for character in typed[:40] if character not in " -\u2013\t").upper()
    return code if len(code) == JOIN_CODE_LENGTH and set(code) <= set(JOIN_CODE_LETTERS) else ""


def grouped_code(code: str) -> str:
    """Return a code as people read it: two groups of four."""
    half = JOIN_CODE_LENGTH // 2
    return f"{code[:half]}-{code[half:]}"


def join_link(cohort: Cohort) -> str:
    """Return the address that staff hand out: at SITE_URL, whatever host this page was asked for by."""
    return f"{settings.SITE_URL}{reverse('join_cohort', args=[cohort.join_code])}"


def cohort_for_code(typed: str, visitor: Visitor) -> Cohort | CodeRefusal:
    """Return the cohort that this code opens. After too many wrong ones even the right one has to wait."""
    if not visitor.may_try():
        return CodeRefusal.TOO_MANY
    code = plain_code(typed)
    cohort = Cohort.objects.filter(join_code=code, joining_is_open=True).first() if code else None
    if cohort is None:
        visitor.was_wrong()
        return CodeRefusal.UNKNOWN
    return cohort


@transaction.atomic
def join(user: User, cohort: Cohort) -> Enrolment:
    """Return the person's enrolment: a new one as learner, or the one there is, whatever its role.

    Whoever had withdrawn is back, as a learner: staff that left are not made staff again by a code.
    """
    enrolment, _ = Enrolment.objects.get_or_create(user=user, cohort=cohort)
    if enrolment.withdrawn_at is not None:
        enrolment.withdrawn_at, enrolment.role = None, Role.LEARNER
        enrolment.save(update_fields=["withdrawn_at", "role"])
    return enrolment


def sign_up(cohort: Cohort, *, email: str, name: str, password: str) -> User | None:
    """Return a new person who learns in this cohort, or None if the address already has an account."""
    try:
        return add_user(email=email, name=name, password=password, cohort=cohort)
    except IntegrityError:  # the other of two sign-ups at once
        return None
    except ValidationError:
        if User.objects.filter(email=email.lower()).exists():
            return None
        raise


def renew_code(cohort: Cohort, *, by: User, seen: str) -> bool:
    """Give the cohort a new code in place of the one that was seen; False if that was no longer its code.

    A button pressed twice so renews once, and the code that was copied meanwhile stays good.
    """
    new = draw_join_code()
    return _change(
        cohort, by, _RENEW, before=seen, after=new,
        change=lambda: Cohort.objects.filter(pk=cohort.pk, join_code=seen).update(join_code=new),
    )  # fmt: skip


def set_joining(cohort: Cohort, *, by: User, is_open: bool) -> bool:
    """Let the code work, or let it work no longer; False if that was so already."""
    words = {True: "open", False: "closed"}
    return _change(
        cohort, by, _OPEN if is_open else _CLOSE, before=words[not is_open], after=words[is_open],
        change=lambda: Cohort.objects.filter(pk=cohort.pk, joining_is_open=not is_open).update(joining_is_open=is_open),
    )  # fmt: skip


def _change(cohort: Cohort, by: User, verb: str, *, before: str, after: str, change: Callable[[], int]) -> bool:
    with transaction.atomic():
        changed = bool(change())
        if changed:
            audit.note(by, verb, f"cohort {cohort.pk}", cohort=cohort, before=before, after=after)
    cohort.refresh_from_db()
    return changed
