"""Drawing a paper: which questions one learner gets, from a blueprint and a seed. Pure.

The same seed and bank give the same paper. Two enemies, of which one gives the other away, never meet.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from quizzes.questions import Pool, Question, Variant
from quizzes.registry import kind_of
from quizzes.variants import shuffled

MARKS_EACH = Decimal(1)  # every question of a test counts the same


@dataclass(frozen=True)
class Draw:
    """So many questions of one concept's test pool."""

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
    at_most: Mapping[str, int] = field(default_factory=dict)  # questions of a kind in one paper, where that is limited

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
    """Return the paper that this seed gives, concept by concept in the blueprint's order.

    Errors:  PaperCannotBeDrawn if a concept's test pool cannot give as many as the blueprint asks for
    """
    pools = []
    for draw in blueprint.draws:
        pool = [each for each in questions.values() if each.concept_id == draw.concept_id and each.pool == Pool.TEST]
        # Sorted by id first: the order of a file must not decide who gets what.
        candidates = shuffled(sorted(pool, key=lambda each: each.id), seed, draw.concept_id)
        if next(_choices(candidates, draw.count, (), {}), None) is None:
            raise PaperCannotBeDrawn(
                f"asks for {draw.count} of {draw.concept_id}, whose test pool has {len(pool)}, enemies apart"
            )
        pools.append((candidates, draw.count))
    chosen = _fill(pools, (), blueprint.at_most)
    if chosen is None:
        limits = ", ".join(f"{count} {kind}" for kind, count in blueprint.at_most.items())
        raise PaperCannotBeDrawn(f"its concepts cannot be served together with at most {limits}")
    return tuple(_line(question, seed) for question in chosen)


def variant_of(question: Question, seed: str) -> Variant:
    """Return the variant of a question under this seed."""
    return kind_of(question.kind).draw(question.task, seed=seed, question_id=question.id)


def _line(question: Question, seed: str) -> PaperLine:
    return PaperLine(question=question, variant=variant_of(question, seed), marks=MARKS_EACH)


Questions = tuple[Question, ...]


def _fill(
    pools: Sequence[tuple[Sequence[Question], int]], chosen: Questions, at_most: Mapping[str, int]
) -> Questions | None:
    """Return the first choice for all pools together, or None if there is none."""
    if not pools:
        return chosen
    (candidates, count), *rest = pools
    for own in _choices(candidates, count, chosen, at_most):
        found = _fill(rest, chosen + own, at_most)
        if found is not None:
            return found
    return None


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
    limit = at_most.get(question.kind)
    if limit is not None and sum(each.kind == question.kind for each in before) >= limit:
        return False
    return not any(_are_enemies(question, each) for each in before)


def _are_enemies(one: Question, other: Question) -> bool:
    return other.id in one.enemies or one.id in other.enemies
