"""Which beliefs a cohort holds: counted by learner over everything that shows one, and what became of them. Pure.

A learner counts once for a belief, whether it showed in an option, a number or a program. It has gone when something
that could have shown it again was right.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta, tzinfo
from enum import Enum
from typing import NamedTuple


class Source(Enum):
    """Where a belief shows."""

    OPTIONS = "options"
    NUMBERS = "numbers"
    TERMS = "terms"
    ORDERS = "orders"
    MATRICES = "matrices"
    PROGRAMS = "programs"


class Sighting(NamedTuple):
    """One answer or program that shows a belief."""

    learner: int
    belief: str
    source: Source
    at: datetime
    where: str  # id of the question, or slug of the exercise


# When each learner was last right where a belief could have shown.
Righted = Mapping[tuple[int, str], datetime]


@dataclass(frozen=True)
class Holder:
    """One learner and one belief."""

    learner: int
    sightings: tuple[Sighting, ...]  # the earliest first
    is_gone: bool
    has_read: bool  # opened the card that sets it right after the belief last showed

    @property
    def first_at(self) -> datetime:
        return self.sightings[0].at

    @property
    def last_at(self) -> datetime:
        return self.sightings[-1].at


@dataclass(frozen=True)
class Week:
    """How many learners showed a belief for the first time in a week."""

    begins: date
    learners: int


@dataclass(frozen=True)
class Figures:
    """One belief in one cohort, without anybody's name."""

    id: str
    learners: int
    gone: int
    gone_after_reading: int
    by_source: Mapping[Source, int]  # learners by where it showed; who showed it in two ways counts in both
    by_place: tuple[tuple[str, int], ...]  # questions and exercises by learners, the most first
    weeks: tuple[Week, ...]  # learners by the week in which it first showed, without a gap between

    @property
    def still(self) -> int:
        return self.learners - self.gone


@dataclass(frozen=True)
class Belief:
    """One belief in one cohort, and who holds it."""

    id: str
    holders: tuple[Holder, ...]

    def figures(self, zone: tzinfo) -> Figures:
        sources = Counter(source for holder in self.holders for source in {each.source for each in holder.sightings})
        places = Counter(where for holder in self.holders for where in {each.where for each in holder.sightings})
        return Figures(
            id=self.id,
            learners=len(self.holders),
            gone=sum(holder.is_gone for holder in self.holders),
            gone_after_reading=sum(holder.is_gone and holder.has_read for holder in self.holders),
            by_source={source: sources[source] for source in Source if sources[source]},
            by_place=tuple(sorted(places.items(), key=lambda item: (-item[1], item[0]))),
            weeks=self._weeks(zone),
        )

    def _weeks(self, zone: tzinfo) -> tuple[Week, ...]:
        mondays = Counter(_monday(holder.first_at.astimezone(zone)) for holder in self.holders)
        found: list[Week] = []
        begins, ends = min(mondays, default=date.max), max(mondays, default=date.min)
        while begins <= ends:
            found.append(Week(begins, mondays[begins]))
            begins += timedelta(days=7)
        return tuple(found)


def beliefs(
    sightings: Iterable[Sighting],
    righted: Righted,
    readings: Mapping[tuple[int, str], datetime],
    cards: Mapping[str, str],
) -> tuple[Belief, ...]:
    """Return the beliefs that showed, held by the most learners first.

    `readings` tells when each (learner, concept) was last opened, `cards` which concept sets a belief right.
    """
    by_holder: dict[tuple[str, int], list[Sighting]] = {}
    for each in sightings:
        by_holder.setdefault((each.belief, each.learner), []).append(each)
    found: dict[str, list[Holder]] = {}
    for (belief, learner), mine in by_holder.items():
        mine.sort(key=lambda each: each.at)
        last = mine[-1].at
        read, right = readings.get((learner, cards.get(belief, ""))), righted.get((learner, belief))
        holder = Holder(
            learner=learner,
            sightings=tuple(mine),
            is_gone=right is not None and right > last,
            has_read=read is not None and read > last,
        )
        found.setdefault(belief, []).append(holder)
    lines = [Belief(belief, tuple(holders)) for belief, holders in found.items()]
    return tuple(
        sorted(lines, key=lambda each: (-len(each.holders), sum(holder.is_gone for holder in each.holders), each.id))
    )


def _monday(at: datetime) -> date:
    return at.date() - timedelta(days=at.weekday())
