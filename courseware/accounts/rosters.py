"""Puts the people of a roster into a cohort: first as a plan with an outcome for each line, then in one transaction.

Nobody is deleted, nobody's name is changed, and a roster makes nobody staff and takes nobody's role away.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from courseware.accounts import audit
from courseware.accounts.models import Cohort, Enrolment, Role, User
from courseware.accounts.names import readable, tidy

IMPORT, WITHDRAW, BACK = "import roster", "withdraw learner", "take learner back"
_AT_ONCE = 500  # addresses in one query; databases limit the parameters of one
_LONGEST_NAME, _LONGEST_SECTION, _LONGEST_ADDRESS = 150, 60, 254  # what the columns hold


class Outcome(Enum):
    """What becomes of one line."""

    NEW = "new account"
    JOINS = "joins"
    BACK = "is back"
    MOVES = "changes section"
    SAME = "stays as it is"
    WITHDRAWN = "is withdrawn"
    REFUSED = "left out"


@dataclass(frozen=True)
class Entry:
    """One line of a roster."""

    line: int
    email: str
    name: str
    section: str | None  # None where the roster has no sections, which then stay


@dataclass(frozen=True)
class Planned:
    """One line and what becomes of it; line 0 for a learner whom the roster does not have."""

    line: int
    name: str
    email: str
    outcome: Outcome
    why: str = ""


def plan(cohort: Cohort, entries: Sequence[Entry], *, withdraw_others: bool) -> tuple[Planned, ...]:
    """Return what would become of each line. Changes nothing."""
    known = _people({entry.email.strip().lower() for entry in entries})
    enrolled = {each.user_id: each for each in Enrolment.objects.filter(cohort=cohort).select_related("user")}
    seen: dict[str, int] = {}
    planned = []
    for entry in entries:
        entry = replace(entry, email=entry.email.strip().lower(), name=tidy(entry.name.strip()))
        problem = _problem(entry) or (
            f"the address stands in line {seen[entry.email]} already" if entry.email in seen else ""
        )
        seen.setdefault(entry.email, entry.line)
        user = known.get(entry.email)
        if problem:
            planned.append(Planned(entry.line, entry.name, entry.email, Outcome.REFUSED, problem))
        else:
            outcome, why = _outcome(entry, user, enrolled.get(user.pk) if user else None)
            planned.append(Planned(entry.line, user.name if user else entry.name, entry.email, outcome, why))
    if withdraw_others:
        others = [each for each in enrolled.values() if each.role == Role.LEARNER and each.withdrawn_at is None]
        planned += [
            Planned(0, each.user.name, each.user.email, Outcome.WITHDRAWN, "not in the roster")
            for each in others
            if each.user.email not in seen
        ]
    return tuple(planned)


@transaction.atomic
def import_roster(cohort: Cohort, entries: Sequence[Entry], *, withdraw_others: bool, by: User) -> tuple[Planned, ...]:
    """Do what the plan says, whole or not at all, and return it as it was done."""
    Cohort.objects.select_for_update().get(pk=cohort.pk)  # of two imports at once the second sees the first
    planned = plan(cohort, entries, withdraw_others=withdraw_others)
    sections = {entry.email.strip().lower(): entry.section for entry in entries if entry.section is not None}
    fresh = [User(email=each.email, name=each.name) for each in planned if each.outcome is Outcome.NEW]
    for user in fresh:
        user.set_unusable_password()  # whoever owns the address sets one by the letter for a lost password
    User.objects.bulk_create(fresh)
    people = _people({each.email for each in planned if each.outcome not in (Outcome.SAME, Outcome.REFUSED)})
    now = timezone.now()
    joining = [
        Enrolment(user=people[each.email], cohort=cohort, section=sections.get(each.email, ""))
        for each in planned
        if each.outcome in (Outcome.NEW, Outcome.JOINS)
    ]
    Enrolment.objects.bulk_create(joining)
    mine = {each.user_id: each for each in Enrolment.objects.filter(cohort=cohort)}
    changed = []
    for each in planned:
        if each.outcome in (Outcome.BACK, Outcome.MOVES, Outcome.WITHDRAWN):
            enrolment = mine[people[each.email].pk]
            enrolment.section = sections.get(each.email, enrolment.section)
            enrolment.withdrawn_at = now if each.outcome is Outcome.WITHDRAWN else None
            changed.append(enrolment)
    Enrolment.objects.bulk_update(changed, ["section", "withdrawn_at"], batch_size=_AT_ONCE)
    counts = {outcome: sum(each.outcome is outcome for each in planned) for outcome in Outcome}
    words = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
    audit.note(by, IMPORT, f"cohort {cohort.pk}", cohort=cohort, after=words)
    return planned


@transaction.atomic
def set_withdrawn(enrolment: Enrolment, *, by: User, is_withdrawn: bool) -> bool:
    """Withdraw a learner, whose work stays, or take one back; False if it was so already."""
    changed = Enrolment.objects.filter(pk=enrolment.pk, withdrawn_at__isnull=is_withdrawn).update(
        withdrawn_at=timezone.now() if is_withdrawn else None
    )
    if changed:
        verb = WITHDRAW if is_withdrawn else BACK
        audit.note(by, verb, f"enrolment {enrolment.pk}", cohort=enrolment.cohort, after=enrolment.user.name)
    return bool(changed)


def _problem(entry: Entry) -> str:
    if not entry.email:
        return "no e-mail address, by which people sign in"
    if len(entry.email) > _LONGEST_ADDRESS:
        return "the address is too long"
    try:
        validate_email(entry.email)
    except ValidationError:
        return "this is no e-mail address"
    if not entry.name:
        return "no name"
    if len(entry.name) > _LONGEST_NAME or len(entry.section or "") > _LONGEST_SECTION:
        return f"a name has at most {_LONGEST_NAME} characters here, and a section {_LONGEST_SECTION}"
    try:
        readable(entry.name)
        readable(entry.section or "-1")
    except ValidationError as error:
        return error.messages[0].rstrip(".")
    return ""


def _outcome(entry: Entry, user: User | None, enrolment: Enrolment | None) -> tuple[Outcome, str]:
    if user is None:
        return Outcome.NEW, "sets a password by the link “Password lost?”"
    named = "" if user.name == entry.name else f"the roster says {entry.name}; people name themselves"
    if not user.is_active:
        return Outcome.REFUSED, "the account is closed"
    if enrolment is None:
        return Outcome.JOINS, named
    if enrolment.role != Role.LEARNER:
        return Outcome.SAME, "teaches here"
    if enrolment.withdrawn_at is not None:
        return Outcome.BACK, named
    if entry.section is not None and entry.section != enrolment.section:
        return Outcome.MOVES, f"from {enrolment.section or 'none'} to {entry.section or 'none'}"
    return Outcome.SAME, named


def _people(addresses: Iterable[str]) -> Mapping[str, User]:
    """Return the accounts at these addresses; those are stored in small letters."""
    wanted = sorted(addresses)
    found: dict[str, User] = {}
    for begin in range(0, len(wanted), _AT_ONCE):
        found |= {each.email: each for each in User.objects.filter(email__in=wanted[begin : begin + _AT_ONCE])}
    return found
