"""Which questions can be practised, by concept and by misconception, and in which order their variants come.

A seed belongs to a learner: each meets all variants of a question before one comes again.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from quizzes.catalogue import current_bank
from quizzes.questions import Cause, Pool, Question, Variant, parts_of
from quizzes.registry import kind_of
from quizzes.variants import shuffled


def of_concept(concept_id: str) -> tuple[Question, ...]:
    """Return the practice questions of a concept, in their author's order."""
    return _by_concept(settings.COURSE_PATH).get(concept_id, ())


def of_idea(misconception_id: str) -> tuple[Question, ...]:
    """Return the practice questions in which somebody who holds this misconception would go wrong."""
    return _by_cause(settings.COURSE_PATH).get(misconception_id, ())


def question(question_id: str) -> Question | None:
    """Return a practice question, None if there is none of this id."""
    return _by_id(settings.COURSE_PATH).get(question_id)


def variant_count(question: Question) -> int:
    """Return how many variants a question has; another order of its options is not another variant."""
    return len(kind_of(question.kind).variants(question.task))


def variant(question: Question, *, seed: str, number: int) -> Variant:
    """Return what a learner meets when they answer a question for the `number`th time, counted from 1."""
    kind = kind_of(question.kind)
    drawn = kind.draw(question.task, seed=f"{seed}|{number}", question_id=question.id)
    parameters = kind.variants(question.task)
    if len(parameters) == 1:
        return drawn
    order = _order(seed, question.id, len(parameters))
    return replace(drawn, parameters=parameters[order[(number - 1) % len(order)]])


def counted(question: Question, number: int) -> str:
    """Return, for the learner, which of its variants this is and whether they repeat; empty for the one of one."""
    count = variant_count(question)
    round_, place = divmod(number - 1, count)
    if count == 1:
        return "You have answered this question before; it has one variant." if round_ else ""
    if round_ and place == 0:
        return f"You have seen all {count} variants; they start again."
    return f"Variant {place + 1} of {count}" + (", which you have seen before." if round_ else ".")


def _pool() -> Iterator[Question]:
    return (each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE)


@lru_cache(maxsize=4)
def _by_id(path: Path) -> Mapping[str, Question]:  # noqa: ARG001  (as below)
    return {each.id: each for each in _pool()}


@lru_cache(maxsize=4)
def _by_concept(path: Path) -> Mapping[str, tuple[Question, ...]]:  # noqa: ARG001  (another course is another bank)
    found: dict[str, tuple[Question, ...]] = {}
    for each in _pool():
        found[each.concept_id] = (*found.get(each.concept_id, ()), each)
    return found


@lru_cache(maxsize=4)
def _by_cause(path: Path) -> Mapping[str, tuple[Question, ...]]:  # noqa: ARG001  (as above)
    found: dict[str, tuple[Question, ...]] = {}
    for each in _pool():
        for cause in {cause.id for cause in parts_of(each.task, Cause)}:
            found[cause] = (*found.get(cause, ()), each)
    return found


@lru_cache(maxsize=512)
def _order(seed: str, question_id: str, count: int) -> tuple[int, ...]:
    return shuffled(range(count), seed, question_id)
