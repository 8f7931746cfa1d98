"""Drawing a paper: which questions one learner gets, from a blueprint and a seed. Pure.

The same seed and bank give the same paper. Two enemies, of which one gives the other away, never meet.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

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
    for draw in blueprint.draws:
        pool = _pool(draw, blueprint, questions)
        if next(_choices(pool, draw.count, (), {}), None) is None:
            raise PaperCannotBeDrawn(
                f"asks for {draw.count} of {draw.concept_id}, "
                f"whose {blueprint.pool} pool has {len(pool)}, enemies apart"
            )
    chosen = next((found for trial in range(_TRIALS) if (found := _try(blueprint, questions, seed, trial))), None)
    if chosen is None:
        bounds = [f"at least {count} {name}" for name, count in blueprint.at_least.items()]
        bounds += [f"at most {count} {name}" for name, count in blueprint.at_most.items()]
        raise PaperCannotBeDrawn(f"its concepts cannot be served together with {', '.join(bounds)}")
    if blueprint.order is Order.MIXED:
        chosen = shuffled(chosen, seed, "order")
    else:
        places = {draw.concept_id: place for place, draw in enumerate(blueprint.draws)}
        chosen = tuple(sorted(chosen, key=lambda each: places[each.concept_id]))
    return tuple(_line(question, seed) for question in chosen)


def variant_of(question: Question, seed: str) -> Variant:
    """Return the variant of a question under this seed."""
    return kind_of(question.kind).draw(question.task, seed=seed, question_id=question.id)


def _line(question: Question, seed: str) -> PaperLine:
    return PaperLine(question=question, variant=variant_of(question, seed), marks=MARKS_EACH)


Questions = tuple[Question, ...]


def _pool(draw: Draw, blueprint: Blueprint, questions: Mapping[str, Question]) -> Questions:
    # Sorted by id first: the order of a file must not decide who gets what.
    mine = [each for each in questions.values() if (each.concept_id, each.pool) == (draw.concept_id, blueprint.pool)]
    return tuple(sorted(mine, key=lambda each: each.id))


def _try(blueprint: Blueprint, questions: Mapping[str, Question], seed: str, trial: int) -> Questions | None:
    again = f"|{trial}" if trial else ""
    pools = [
        (shuffled(_pool(draw, blueprint, questions), seed, draw.concept_id + again), draw.count)
        for draw in blueprint.draws
    ]
    if blueprint.at_least:
        # What must still be found falls to the pools that come last, so that these are not always the same concepts.
        pools = list(shuffled(pools, seed, "pools" + again))
    can_give = [
        {name: min(count, sum(name in _traits(each) for each in candidates)) for name in blueprint.at_least}
        for candidates, count in pools
    ]
    return _fill(pools, can_give, (), blueprint, iter(range(_CHOICES_PER_TRIAL)))


def _fill(
    pools: Sequence[tuple[Questions, int]],
    can_give: Sequence[Mapping[str, int]],
    chosen: Questions,
    blueprint: Blueprint,
    steps: Iterator[int],
) -> Questions | None:
    """Return the first choice for all pools together, or None if there is none or it was not found in so many steps."""
    pressure = {}
    held = Counter(name for each in chosen for name in _traits(each))
    for name, count in blueprint.at_least.items():
        missing = count - held[name]
        available = sum(each[name] for each in can_give)
        if missing > available:
            return None
        pressure[name] = missing / available if missing > 0 else 0.0
    if not pools:
        return chosen
    (candidates, count), *rest = pools
    for own in _choices(_sooner(candidates, pressure), count, chosen, blueprint.at_most):
        if next(steps, None) is None:
            return None
        found = _fill(rest, can_give[1:], chosen + own, blueprint, steps)
        if found is not None:
            return found
    return None


def _sooner(candidates: Questions, pressure: Mapping[str, float]) -> Questions:
    """Return the candidates with those that are needed moved forward, the further the scarcer they have become."""
    places = {
        question.id: place * (1 - max((pressure.get(name, 0.0) for name in _traits(question)), default=0.0))
        for place, question in enumerate(candidates, start=1)
    }
    return tuple(sorted(candidates, key=lambda each: places[each.id]))


def _choices(
    candidates: Sequence[Question], count: int, before: Questions, at_most: Mapping[str, int]
) -> Iterator[Questions]:
    """Yield every choice of so many without enemies and within the limits, in the order of the candidates.

    A pool is a few dozen questions with a few enemies each, and the first choice nearly always does.
    """
    if count == 0:
        yield ()
        return
    for index, question in enumerate(candidates):
        if len(candidates) - index < count:
            return
        if not _fits(question, before, at_most):
            continue
        rest = [each for each in candidates[index + 1 :] if not _are_enemies(each, question)]
        for others in _choices(rest, count - 1, (*before, question), at_most):
            yield (question, *others)


def _fits(question: Question, before: Questions, at_most: Mapping[str, int]) -> bool:
    for name in _traits(question):
        if name in at_most and sum(name in _traits(each) for each in before) >= at_most[name]:
            return False
    return not any(_are_enemies(question, each) for each in before)


def _traits(question: Question) -> tuple[str, str]:
    return question.kind, question.bloom


def _are_enemies(one: Question, other: Question) -> bool:
    return other.id in one.enemies or one.id in other.enemies
