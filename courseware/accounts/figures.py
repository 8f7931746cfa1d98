"""Keeps what was worked out about a whole cohort, and gives it back while it is of all that there is."""

from collections.abc import Mapping
from typing import Any

from courseware.accounts.models import Cohort, KeptFigures
from courseware.statements import Given, Statement

_KEPT: Statement[KeptFigures] = Statement(
    lambda: KeptFigures.objects.filter(
        cohort=Given("cohort", int), name=Given("name", str), digest=Given("digest", str)
    )
)


def kept(cohort: Cohort, name: str, digest: str) -> KeptFigures | None:
    """Return what is kept under a name, if it was worked out from what this digest is of."""
    return _KEPT.first(cohort=cohort.pk, name=name, digest=digest)


def keep(cohort: Cohort, name: str, digest: str, body: Mapping[str, Any]) -> KeptFigures:
    """Keep something in place of what was kept under this name."""
    KeptFigures.objects.filter(cohort=cohort, name=name).exclude(digest=digest).delete()
    # Of two readers at once the second finds the first one's row, which says the same.
    found = KeptFigures(cohort=cohort, name=name, digest=digest, body=dict(body))
    KeptFigures.objects.bulk_create([found], ignore_conflicts=True)
    return found
