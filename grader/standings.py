"""How people stand in exercises: the best submit counts, runs never do."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Max, Q

from grader.models import LIVE, Kind, Submission
from grader.verdicts import Outcome


@dataclass(frozen=True)
class Standing:
    """One learner in one exercise."""

    submits: int  # that were not taken back
    best_mark: Decimal | None  # None while nothing was marked
    is_right: bool  # some submit held every check
    is_live: bool  # one is waiting or being graded


NOT_BEGUN = Standing(submits=0, best_mark=None, is_right=False, is_live=False)


def standings(user_ids: Collection[int]) -> Mapping[tuple[int, str], Standing]:
    """Return the standing of each (user id, exercise slug) that has a submit, by one query."""
    counted = Q(pk__in=Submission.objects.counted().values("pk"))
    rows = (
        Submission.objects.filter(user__in=user_ids, kind=Kind.SUBMIT)
        .values("user", "exercise")
        .annotate(
            submits=Count("pk", filter=counted | Q(state__in=LIVE)),
            best_mark=Max("mark", filter=counted),
            right=Count("pk", filter=counted & Q(verdict=Outcome.RIGHT.value)),
            live=Count("pk", filter=Q(state__in=LIVE)),
        )
        .order_by()
    )
    return {
        (row["user"], row["exercise"]): Standing(
            row["submits"], row["best_mark"], bool(row["right"]), bool(row["live"])
        )
        for row in rows
    }
