"""Drawing a paper: which questions one learner gets, from a blueprint and a seed. Pure.

The same seed and bank give the same paper. Two enemies, of which one gives the other away, never meet.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from enum import StrEnum
from math import inf

from quizzes.questions import Pool, Question, Variant
from quizzes.registry import kind_of
from quizzes.variants import shuffled

MARKS_EACH = Decimal(1)  # every question of a test counts the same
# A paper of 57 questions with tight bounds takes some 20 choices. A search that has gone astray is begun anew in an
# order of its own sooner than it is finished; after the last trial the bounds contradict each other.
_CHOICES_PER_TRIAL, _TRIALS = 300, 10


class Order(StrEnum):
    """How the questions of a paper follow each other."""

    BY_CONCEPT = "by concept"
    MIXED = "mixed"


@dataclass(frozen=True)
class Draw:
    """So many questions of one concept."""

    concept_id: str
    count: int


@dataclass(frozen=True)
class Blueprint:
    """What a paper is made of, and the defaults for a cohort that changes nothing."""

    name: str
    title: str
    minutes: int | None
    attempts: int
    draws: tuple[Draw, ...]
    # How many questions of a kind or of a Bloom level one paper holds, where that is bounded.
    at_least: Mapping[str, int] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    order: Order = Order.BY_CONCEPT
    pool: Pool = Pool.TEST
    seed: str = ""  # of the one paper that everybody gets; empty: one each

    @property
    def question_count(self) -> int:
        return sum(draw.count for draw in self.draws)


@dataclass(frozen=True)
class PaperLine:
    """One question of a paper, with everything that chance decided about it."""

    question: Question
    variant: Variant
    marks: Decimal


class PaperCannotBeDrawn(Exception):
    """The bank has too few questions that may stand together."""


def draw_paper(blueprint: Blueprint, questions: Mapping[str, Question], seed: str) -> tuple[PaperLine, ...]:
    """Return the paper that this seed gives, in the blueprint's order of concepts or mixed.

    Errors:  PaperCannotBeDrawn if a concept's pool cannot give as many as the blueprint asks for, or all of them
             together cannot keep its bounds
    """
    pools = _pools_once(blueprint, questions)
    found = (_try(blueprint, pools, seed, trial) for trial in range(_TRIALS))
    chosen = next((each for each in found if each is not None), None)
    if chosen is None:
        bounds = [f"at least {count} {name}" for name, count in blueprint.at_least.items()]
        bounds += [f"at most {count} {name}" for name, count in blueprint.at_most.items()]
        raise PaperCannotBeDrawn(f"its concepts cannot be served together with {', '.join(bounds)}")
    if blueprint.order is Order.MIXED:
        chosen = shuffled(chosen, seed, "order")
    else:
        places = {draw.concept_id: place for place, draw in enumerate(blueprint.draws)}
        chosen = tuple(sorted(chosen, key=lambda each: places[each.question.concept_id]))
    return tuple(_line(each.question, seed) for each in chosen)


def drawable(blueprint: Blueprint, questions: Mapping[str, Question]) -> list[Question]:
    """Return all that some seed may give."""
    return [each.question for pool in _pools_once(blueprint, questions) for each in pool.candidates]


def variant_of(question: Question, seed: str) -> Variant:
    """Return the variant of a question under this seed."""
    return kind_of(question.kind).draw(question.task, seed=seed, question_id=question.id)


def _line(question: Question, seed: str) -> PaperLine:
    return PaperLine(question=question, variant=variant_of(question, seed), marks=MARKS_EACH)


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A question that may be drawn, with what the search asks of it again and again."""

    question: Question
    id: str
    traits: tuple[str, str]  # its kind and its Bloom level
    enemies: frozenset[str]  # whichever of the two names the other


@dataclass(frozen=True)
class _Pool:
    """What one concept offers, in an order that no file decides."""

    concept_id: str
    count: int
    candidates: tuple[_Candidate, ...]
    can_give: Mapping[str, int]  # how many of each bounded trait at most


# A bank is read once, and a class that starts at once draws from the same pools: each is prepared once.
_prepared: dict[str, tuple[Blueprint, Mapping[str, Question], tuple[_Pool, ...]]] = {}


def _pools_once(blueprint: Blueprint, questions: Mapping[str, Question]) -> tuple[_Pool, ...]:
    known = _prepared.get(blueprint.name)
    if known is None or known[0] is not blueprint or known[1] is not questions:  # a course that is being written
        enemies = _enemies(questions.values())
        pools = tuple(_pool(draw, blueprint, questions, enemies) for draw in blueprint.draws)
        known = _prepared[blueprint.name] = blueprint, questions, pools
    return known[2]


def _enemies(questions: Iterable[Question]) -> Mapping[str, set[str]]:
    """Return the enemies of each question that has any, whichever of the two names the other."""
    enemies: dict[str, set[str]] = {}
    for question in questions:
        for other in question.enemies:
            enemies.setdefault(question.id, set()).add(other)
            enemies.setdefault(other, set()).add(question.id)
    return enemies


def _pool(
    draw: Draw, blueprint: Blueprint, questions: Mapping[str, Question], enemies: Mapping[str, set[str]]
) -> _Pool:
    mine = [each for each in questions.values() if (each.concept_id, each.pool) == (draw.concept_id, blueprint.pool)]
    candidates = tuple(
        _Candidate(each, each.id, (each.kind, each.bloom.value), frozenset(enemies.get(each.id, ())))
        for each in sorted(mine, key=lambda each: each.id)
    )
    if next(_choices(candidates, draw.count, _EMPTY, {}), None) is None:
        raise PaperCannotBeDrawn(
            f"asks for {draw.count} of {draw.concept_id}, "
            f"whose {blueprint.pool} pool has {len(candidates)}, enemies apart"
        )
    can_give = {name: min(draw.count, sum(name in each.traits for each in candidates)) for name in blueprint.at_least}
    return _Pool(draw.concept_id, draw.count, candidates, can_give)


@dataclass(frozen=True)
class _Chosen:
    """Questions that stand together: which, how many of each trait, and which others they rule out."""

    candidates: tuple[_Candidate, ...]
    held: Mapping[str, int]
    barred: frozenset[str]

    def and_also(self, other: _Candidate) -> "_Chosen":
        held = dict(self.held)
        for name in other.traits:
            held[name] = held.get(name, 0) + 1
        return _Chosen((*self.candidates, other), held, self.barred | other.enemies)

    def admits(self, other: _Candidate, at_most: Mapping[str, int]) -> bool:
        if other.id in self.barred:
            return False
        kind, bloom = other.traits
        return self.held.get(kind, 0) < at_most.get(kind, inf) and self.held.get(bloom, 0) < at_most.get(bloom, inf)


_EMPTY = _Chosen((), {}, frozenset())


def _try(blueprint: Blueprint, pools: Sequence[_Pool], seed: str, trial: int) -> tuple[_Candidate, ...] | None:
    again = f"|{trial}" if trial else ""
    if blueprint.at_least:
        # What must still be found falls to the pools that come last, so that these are not always the same concepts.
        pools = shuffled(pools, seed, "pools" + again)
    dealt = [replace(each, candidates=shuffled(each.candidates, seed, each.concept_id + again)) for each in pools]
    available = {name: sum(each.can_give[name] for each in dealt) for name in blueprint.at_least}
    found = _fill(dealt, available, _EMPTY, blueprint, iter(range(_CHOICES_PER_TRIAL)))
    return found.candidates if found else None


def _fill(
    pools: Sequence[_Pool], available: Mapping[str, int], chosen: _Chosen, blueprint: Blueprint, steps: Iterator[int]
) -> _Chosen | None:
    """Return the first choice for all pools together, or None if there is none or it was not found in so many steps."""
    pressure = {}
    for name, count in blueprint.at_least.items():
        missing = count - chosen.held.get(name, 0)
        if missing > available[name]:
            return None
        if missing > 0:
            pressure[name] = missing / available[name]
    if not pools:
        return chosen
    pool, *rest = pools
    left = {name: count - pool.can_give[name] for name, count in available.items()}
    for more in _choices(_sooner(pool.candidates, pressure), pool.count, chosen, blueprint.at_most):
        if next(steps, None) is None:
            return None
        found = _fill(rest, left, more, blueprint, steps)
        if found is not None:
            return found
    return None


def _sooner(candidates: Sequence[_Candidate], pressure: Mapping[str, float]) -> Sequence[_Candidate]:
    """Return the candidates with those that are needed moved forward, the further the scarcer they have become."""
    if not pressure:
        return candidates
    needed = pressure.get
    places = {
        each: place * (1 - max(needed(each.traits[0], 0.0), needed(each.traits[1], 0.0)))
        for place, each in enumerate(candidates, start=1)
    }
    return sorted(candidates, key=places.__getitem__)


def _choices(
    candidates: Sequence[_Candidate], count: int, before: _Chosen, at_most: Mapping[str, int]
) -> Iterator[_Chosen]:
    """Yield what was chosen before with every choice of so many more, in the order of the candidates.

    None holds enemies or breaks a limit. A pool is a few dozen questions with a few enemies each, and the first choice
    nearly always does.
    """
    if count == 0:
        yield before
        return
    for index, each in enumerate(candidates):
        if len(candidates) - index < count:
            return
        if before.admits(each, at_most):
            rest = [other for other in candidates[index + 1 :] if other.id not in each.enemies]
            yield from _choices(rest, count - 1, before.and_also(each), at_most)
