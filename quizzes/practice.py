"""Practising one question: the variant that comes next, keeping its answer, and every explanation of it.

Each answer is kept and explained at once. None is ever part of a mark, and practice stays open during a test.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from django.db import IntegrityError, transaction
from django.utils import timezone

from courseware.accounts.models import User
from quizzes import practice_pool, snapshots
from quizzes.commentary import Explained, explained
from quizzes.freezing import freeze
from quizzes.marking import mark
from quizzes.models import PracticeAnswer
from quizzes.presenting import Shown, Stem, present, stem
from quizzes.questions import Answer, Question, Variant

# One a second for a whole minute: nobody reads so fast, and each answer is a row that stays.
ANSWERS_PER_MINUTE = 60


@dataclass(frozen=True)
class PosedForPractice:
    """A question as its practice page shows it; nothing in here reveals a key."""

    question: Question
    shown: Shown
    number: int
    version: str
    counted: str  # which of its variants this is
    fault: str = ""  # why what was typed is not read as an answer
    invalid: tuple[str, ...] = ()  # of several fields, those that it is about


@dataclass(frozen=True)
class Practised:
    """An answer with every explanation."""

    answer: PracticeAnswer
    question: Question
    stem: Stem
    explained: Explained
    variant_count: int  # of the question today; 0 if the course no longer has it for practice


def pose(user: User, question: Question, answer: Answer | None = None) -> PosedForPractice:
    """Return the variant of a question that this learner meets next; `answer` is what stands in its form."""
    number = 1 + PracticeAnswer.objects.filter(user=user, question_id=question.id).count()
    return PosedForPractice(
        question=question,
        shown=present(question, variant_for(user, question, number), answer),
        number=number,
        version=version_of(question),
        counted=practice_pool.counted(question, number),
    )


def variant_for(user: User, question: Question, number: int) -> Variant:
    """Return what this learner meets the `number`th time."""
    return practice_pool.variant(question, seed=str(user.uuid), number=number)


def version_of(question: Question) -> str:
    """Return a mark by which a form that was loaded before an edit is told from a fresh one."""
    return freeze(question).content_digest[:16]


def keep(user: User, question: Question, number: int, answer: Answer) -> PracticeAnswer | None:
    """Return the kept answer: this one, or the one that was kept under this number before; None after very many.

    Errors:  ValueError if an answer with a smaller number is missing
    """
    mine = PracticeAnswer.objects.filter(user=user)
    known = mine.filter(question_id=question.id)
    kept = known.filter(number=number).first()
    if kept is not None:
        return kept
    if number != 1 + known.count():
        raise ValueError(f"the next answer to {question.id} is not number {number}")
    if mine.filter(at__gt=timezone.now() - timedelta(minutes=1)).count() >= ANSWERS_PER_MINUTE:
        return None
    drawn = variant_for(user, question, number)
    marked = mark(question, drawn, answer)
    row = PracticeAnswer(
        user=user,
        snapshot_id=snapshots.keep([question])[question.id],
        question_id=question.id,
        concept_id=question.concept_id,
        number=number,
        parameters=dict(drawn.parameters),
        option_order=list(drawn.option_order),
        answer=list(answer.parts),
        fraction=round(Decimal(marked.fraction.numerator) / marked.fraction.denominator, 6),
        misconception_ids=[cause.id for cause in marked.causes],
    )
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:  # the other of two clicks at once
        return known.get(number=number)
    return row


def explained_answer(user: User, answer_id: uuid.UUID) -> Practised | None:
    """Return one of this learner's own answers, explained; None if it is not theirs."""
    answer = PracticeAnswer.objects.filter(user=user, pk=answer_id).select_related("snapshot").first()
    if answer is None:
        return None
    asked = answer.snapshot.question()
    today = practice_pool.question(answer.question_id)
    return Practised(
        answer=answer,
        question=asked,
        stem=stem(asked, answer.variant),
        explained=explained(asked, answer.variant, answer.given),
        variant_count=practice_pool.variant_count(today) if today else 0,
    )
