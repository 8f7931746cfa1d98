"""Drawing a paper: which questions one learner gets, from a blueprint and a seed. Pure.

The same seed and bank give the same paper. Two enemies, of which one gives the other away, never meet.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    lines: list[PaperLine] = []
    for draw in blueprint.draws:
        pool = [each for each in questions.values() if each.concept_id == draw.concept_id and each.pool == Pool.TEST]
        # Sorted by id first: the order of a file must not decide who gets what.
        candidates = shuffled(sorted(pool, key=lambda each: each.id), seed, draw.concept_id)
        chosen = _choose(candidates, draw.count, ())
        if chosen is None:
            raise PaperCannotBeDrawn(
                f"asks for {draw.count} of {draw.concept_id}, whose test pool has {len(pool)}, enemies apart"
            )
        lines += [_line(question, seed) for question in chosen]
    return tuple(lines)


def variant_of(question: Question, seed: str) -> Variant:
    """Return the variant of a question under this seed."""
    return kind_of(question.kind).draw(question.task, seed=seed, question_id=question.id)


def _line(question: Question, seed: str) -> PaperLine:
    return PaperLine(question=question, variant=variant_of(question, seed), marks=MARKS_EACH)


def _choose(candidates: Sequence[Question], count: int, chosen: tuple[Question, ...]) -> tuple[Question, ...] | None:
    """Return the first choice without enemies, in the order of the candidates, or None if there is none.

    It backs out of a choice that leaves too few; a pool is a few dozen questions with a few enemies each.
    """
    if count == 0:
        return chosen
    for index, question in enumerate(candidates):
        if len(candidates) - index < count:
            return None
        rest = [each for each in candidates[index + 1 :] if not _are_enemies(each, question)]
        found = _choose(rest, count - 1, (*chosen, question))
        if found is not None:
            return found
    return None


def _are_enemies(one: Question, other: Question) -> bool:
    return other.id in one.enemies or one.id in other.enemies
