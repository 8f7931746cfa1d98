"""What a cohort believes in figures: kept, and counted anew once other answers or programs are there. Names nobody.

Only what is asked since some instant is counted at each request, since that instant moves.
"""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any

from django.db.models import Count, Max, Q, Sum
from django.utils import timezone

from courseware.accounts import figures as keeping
from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from courseware.results.beliefs.counting import Belief, Figures, Source, Week
from courseware.results.beliefs.gathering import gather, learners_by_concept
from courseware.results.people import learners
from courseware.results.unchanged import State, figures_of
from courseware.statements import Given, Statement
from grader.catalogue import current_exercises
from grader.models import Submission
from quizzes.models import PracticeAnswer, SelfCheckPick, Sitting

_LAYOUT = 2  # of a kept body; one of another layout is counted anew


@dataclass(frozen=True)
class BeliefMap:
    """What a cohort believes, held by the most first."""

    at: datetime  # when it was counted
    learners: int
    beliefs: tuple[Figures, ...]
    by_concept: Mapping[str, int]  # learners who hold at least one that the concept's card sets right
    snapshots: Mapping[str, int]  # of the questions in which beliefs showed, as they were last asked

    def belief(self, belief_id: str) -> Figures:
        return next((each for each in self.beliefs if each.id == belief_id), Belief(belief_id, ()).figures(UTC))


def kept_map(cohort: Cohort, *, source: Source | None = None) -> BeliefMap | None:
    """Return what was counted, unless something came since then: `belief_map` counts anew."""
    found = keeping.kept(cohort, _name(source), _digest(cohort))
    return None if found is None else _map(found.computed_at, found.body)


def belief_map(cohort: Cohort, *, source: Source | None = None, since: datetime | None = None) -> BeliefMap:
    """Return what the active learners of a cohort believe, shown anywhere or in one way, ever or since an instant."""
    if since is not None:
        return _map(timezone.now(), _counted(cohort, source, since))
    return kept_map(cohort, source=source) or fresh_map(cohort, source=source)


def fresh_map(cohort: Cohort, *, source: Source | None = None) -> BeliefMap:
    """Count everything that came so far, and keep it for whoever asks next."""
    digest = _digest(cohort)
    kept = keeping.keep(cohort, _name(source), digest, _counted(cohort, source))
    return _map(kept.computed_at, kept.body)


def _name(source: Source | None) -> str:
    return f"beliefs in {source.value}" if source else "beliefs"


_BASIS: tuple[Statement[State], ...] = (
    Statement(lambda: figures_of(learners().active(), count=Count("pk"), keys=Sum("pk"))),
    Statement(
        lambda: figures_of(
            Sitting.objects.closed().filter(assignment__cohort=Given("cohort", int)),
            count=Count("pk"),
            last=Max("closed_at"),
            marks=Sum("mark"),
            off=Sum("taken_off"),
        )
    ),
    Statement(
        lambda: figures_of(
            Submission.objects.counted().filter(_by_learners()), count=Count("user"), last=Max("finished_at")
        )
    ),
    Statement(lambda: figures_of(PracticeAnswer.objects.filter(_by_learners()), count=Count("pk"), last=Max("at"))),
    Statement(lambda: figures_of(SelfCheckPick.objects.filter(_by_learners()), count=Count("pk"))),
)


def _by_learners() -> Q:
    return Q(user__in=learners().values("user"))


def _digest(cohort: Cohort) -> str:
    """Return a digest that changes with every answer that counts, every verdict, every change of who learns here.

    What was read meanwhile is left out, since in a lesson that changes with every page that somebody opens.
    """
    found = [each.first(cohort=cohort.pk) for each in _BASIS]
    content = current().digest, *(each.digest for each in current_exercises().values())
    basis = _LAYOUT, content, cohort.time_zone, cohort.created_at, found
    return hashlib.sha256(repr(basis).encode()).hexdigest()


def _counted(cohort: Cohort, source: Source | None, since: datetime | None = None) -> dict[str, Any]:
    gathered = gather(cohort)
    found = gathered.beliefs(source=source, since=since)
    return {
        "learners": len(gathered.enrolments),
        "snapshots": gathered.snapshots,
        "by_concept": learners_by_concept(found),
        "beliefs": [_written(each.figures(cohort.zone)) for each in found],
    }


def _written(each: Figures) -> dict[str, Any]:
    return vars(each) | {
        "by_source": {source.value: count for source, count in each.by_source.items()},
        "weeks": [(week.begins.isoformat(), week.learners) for week in each.weeks],
    }


def _map(at: datetime, body: Mapping[str, Any]) -> BeliefMap:
    return BeliefMap(at, body["learners"], tuple(_read(body["beliefs"])), body["by_concept"], body["snapshots"])


def _read(beliefs: Iterable[Mapping[str, Any]]) -> Iterable[Figures]:
    for each in beliefs:
        yield Figures(
            **{
                **each,
                "by_source": {Source(source): count for source, count in each["by_source"].items()},
                "by_place": tuple((where, count) for where, count in each["by_place"]),
                "weeks": tuple(Week(date.fromisoformat(begins), count) for begins, count in each["weeks"]),
            }
        )
