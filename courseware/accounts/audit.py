"""Writes down what staff and operators change, in the transaction of the change. An entry is never altered."""

from courseware.accounts.models import AuditEntry, Cohort, User


def note(
    who: User | None, verb: str, what: str, *, cohort: Cohort | None = None, before: str = "", after: str = ""
) -> AuditEntry:
    """Return the new entry; nobody as `who` stands for the operator at the command line."""
    return AuditEntry.objects.create(who=who, verb=verb, what=what, cohort=cohort, before=before, after=after)
