"""One question of a paper with its judgement, as far as its reader may know it.

What its reader may not see is left out here, so that no page has to remember it. Built from the snapshot that was
asked, so that later edits of the course change nothing here.
"""

import json
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from django.db import DEFAULT_DB_ALIAS
from django.db.models import TextField
from django.db.models.functions import Cast

from courseware.concepts.course import current
from courseware.statements import Given, Statement
from quizzes import pointers
from quizzes.commentary import Explained, judged_as_asked
from quizzes.feedback import Visible
from quizzes.marking import earned, shown
from quizzes.models import QuestionSnapshot, Response
from quizzes.presenting import Stem
from quizzes.questions import Answer, Cause, Shape, Variant


@dataclass(frozen=True)
class ReviewedQuestion:
    """One question with its judgement, as far as its reader may know it."""

    position: int
    concept_title: str
    stem: Stem
    is_flagged: bool
    is_right: bool
    is_open: bool
    word: str  # of the judgement, such as "Not this one."
    shape: str
    mark: str  # empty if it is not shown
    out_of: str
    marks_word: str  # "mark" or "marks"
    explained: Explained | None  # None if it is not shown
    causes: tuple[Cause, ...]  # that count among the ideas behind the misses; none if that is not shown
    key: str  # equal where all else is, but for the position: what a page says of it is kept by this

    @property
    def tone(self) -> str:
        """The class that colours the judgement; half right has a shape of its own and no colour."""
        return "open" if self.shape == Shape.PARTLY else self.shape

    @property
    def anchor(self) -> str:
        return f"q{self.position}"


class Stored(NamedTuple):
    """A question of a paper and what was answered, as the database holds them, so that nothing is read twice.

    What is JSON stands here as the text that it is stored as: equal rows have equal texts, and what follows from one
    is kept in this process.
    """

    position: int
    is_flagged: bool
    concept_id: str
    marks: Decimal
    mark: Decimal | None
    misconception_ids: str
    answer: str | None
    parameters: str
    option_order: str
    snapshot_id: int
    content_digest: str

    @property
    def is_open(self) -> bool:
        return self.answer is None


def _text(column: str) -> Cast:
    return Cast(column, TextField())


_STORED: Statement[tuple[object, ...]] = Statement(
    lambda: (
        Response.objects.filter(slot__sitting=Given("sitting", uuid.UUID))
        .order_by("slot__position")
        .values_list(
            "slot__position",
            "slot__flagged",
            "slot__concept_id",
            "slot__marks",
            "mark",
            _text("misconception_ids"),
            _text("answer"),
            _text("slot__parameters"),
            _text("slot__option_order"),
            "slot__snapshot",
            "slot__snapshot__content_digest",
        )
    )
)


def stored_of(sitting_id: uuid.UUID) -> list[Stored]:
    """Return the questions of a sitting with what was answered, in order."""
    return list(map(Stored._make, _STORED.rows(sitting=sitting_id)))


def reviewed(stored: Iterable[Stored], visible: Visible) -> tuple[ReviewedQuestion, ...]:
    """Return questions whose answers are final, judged as far as their reader may know it."""
    course = current().digest
    return tuple(_kept(each, visible, course) for each in stored)


@lru_cache(maxsize=2000)  # as many as are rendered, see the template tag
def _kept(stored: Stored, visible: Visible, course: str) -> ReviewedQuestion:  # noqa: ARG001  (it names the cards)
    judged = judged_as_asked(_snapshot(stored), _variant(stored), _answer(stored))
    # In an open sitting nothing is marked yet.
    worth = earned([(judged.marked.fraction, stored.marks)]) if stored.mark is None else stored.mark
    said = judged.explained if visible.explanations else None
    if said:
        word, shape = said.word, said.shape
    elif visible.marks:
        word, shape = _by_mark(worth, stored.marks, is_open=stored.is_open)
    else:
        word, shape = ("Left open." if stored.is_open else "Answered."), Shape.OPEN.value
    got, out_of = shown(worth) if visible.marks else "", shown(stored.marks)
    # The labels are those of the snapshot; the ids that were stored decide which of them count.
    counted = json.loads(stored.misconception_ids) if visible.explanations else ()
    return ReviewedQuestion(
        position=stored.position,
        concept_title=pointers.concept_title(stored.concept_id),
        stem=judged.stem,
        is_flagged=stored.is_flagged,
        is_right=worth == stored.marks,
        is_open=stored.is_open,
        word=word,
        shape=shape,
        mark=got,
        out_of=out_of,
        marks_word="mark" if stored.marks == 1 else "marks",
        explained=said,
        causes=tuple(cause for cause in judged.marked.causes if cause.id in counted),
        key="-".join((judged.key, str(said is not None), shape, word, got, out_of, str(stored.is_flagged))),
    )


def _snapshot(stored: Stored) -> QuestionSnapshot:
    """Return the snapshot without its body, which is read once in the life of this process."""
    fields = ("id", "content_digest")
    return QuestionSnapshot.from_db(DEFAULT_DB_ALIAS, fields, (stored.snapshot_id, stored.content_digest))


def _variant(stored: Stored) -> Variant:
    return Variant(parameters=json.loads(stored.parameters), option_order=tuple(json.loads(stored.option_order)))


def _answer(stored: Stored) -> Answer | None:
    return None if stored.answer is None else Answer(tuple(json.loads(stored.answer)))


def _by_mark(worth: Decimal, marks: Decimal, *, is_open: bool) -> tuple[str, str]:
    if is_open:
        return "Left open.", Shape.OPEN.value
    if worth == marks:
        return "Right.", Shape.RIGHT.value
    return ("Right in part.", Shape.PARTLY.value) if worth else ("Not right.", Shape.WRONG.value)
