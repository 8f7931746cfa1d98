"""Keeps questions as they were asked: one row per version, written before it is first asked, never changed."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

from courseware.statements import Given, Statement
from quizzes.freezing import Frozen, canonical, freeze
from quizzes.models import QuestionSnapshot
from quizzes.questions import Answer, Question, Variant


@dataclass(frozen=True)
class Case:
    """A question as it was asked and one answer to it, whoever gave it; what follows from these alone can be kept."""

    key: str  # equal for equal cases, and all that they are compared by
    question: Question = field(compare=False)
    variant: Variant = field(compare=False)
    answer: Answer | None = field(compare=False)


def case_of(snapshot: QuestionSnapshot, variant: Variant, answer: Answer | None) -> Case:
    """Return an answer, or none, to a snapshot with these numbers and this order of options."""
    text = canonical(
        [
            snapshot.content_digest,
            dict(variant.parameters),
            variant.option_order,
            None if answer is None else answer.parts,
        ]
    )
    return Case(sha256(text.encode()).hexdigest(), snapshot.question(), variant, answer)


# A bank is read once, and a class that starts at once asks for the same questions: each is frozen once.
_frozen: dict[str, tuple[Question, Frozen]] = {}


def keep(questions: Iterable[Question]) -> Mapping[str, int]:
    """Return the id of each question's snapshot by question id, written where this version was never asked before."""
    frozen = {question.id: frozen_once(question) for question in questions}
    digests = [each.content_digest for each in frozen.values()]
    known = _known(digests)
    missing = [
        QuestionSnapshot(
            question_id=question_id,
            content_digest=each.content_digest,
            marking_digest=each.marking_digest,
            body=json.loads(each.body),
        )
        for question_id, each in sorted(frozen.items())  # two that write the same ones wait, and never for each other
        if each.content_digest not in known
    ]
    if missing:
        # Two learners may start at once: whoever comes second finds the first one's rows.
        QuestionSnapshot.objects.bulk_create(missing, ignore_conflicts=True)
        known = _known(digests)
    return {question_id: known[each.content_digest] for question_id, each in frozen.items()}


def frozen_once(question: Question) -> Frozen:
    """Return a question of today's bank as it would be kept."""
    known = _frozen.get(question.id)
    if known is None or known[0] is not question:  # a course that is being written is read anew
        known = _frozen[question.id] = question, freeze(question)
    return known[1]


def _known(digests: list[str]) -> Mapping[str, int]:
    """Return the ids of those that were kept before."""
    given = {f"digest{number}": digest for number, digest in enumerate(digests)}
    return dict(_with_digests(len(digests)).rows(**given))


@lru_cache
def _with_digests(count: int) -> Statement[tuple[str, int]]:
    gaps = [Given(f"digest{number}", str) for number in range(count)]
    found = QuestionSnapshot.objects.filter(content_digest__in=gaps)
    return Statement(lambda: found.values_list("content_digest", "pk"))
