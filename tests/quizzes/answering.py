"""Answers for tests: right ones, wrong ones and a whole sitting with some of each."""

import math

from courseware.drawing.matrices import Matrix
from quizzes import sittings, snapshots
from quizzes.expressions import parse_expression
from quizzes.matrix_tasks import MatrixTask, at
from quizzes.models import Sitting, Slot
from quizzes.questions import Answer, Question, Variant
from quizzes.registry import kind_of


def slot_of(sitting: Sitting, kind: str) -> Slot:
    slots = sitting.slots.select_related("snapshot", "response")
    return next(slot for slot in slots if slot.snapshot.question().kind == kind)


def ask_instead(slot: Slot, question: Question) -> None:
    """Let a slot of an open sitting ask another question, drawn as a paper draws it."""
    drawn = kind_of(question.kind).draw(question.task, seed="1", question_id=question.id)
    slot.snapshot_id, slot.question_id = snapshots.keep([question])[question.id], question.id
    slot.parameters, slot.option_order = dict(drawn.parameters), list(drawn.option_order)
    slot.save()


def right_answer(slot: Slot) -> Answer:
    return right_answer_to(slot.snapshot.question(), slot.variant)


def wrong_answer(slot: Slot) -> Answer:
    """Return an answer whose cause is known, where a kind knows causes."""
    return wrong_answer_to(slot.snapshot.question(), slot.variant)


def right_answer_to(question: Question, variant: Variant) -> Answer:
    task, kind = question.task, question.kind
    if kind == "numeric":
        value = f"{parse_expression(task.answer).number(variant.parameters):.6f}"
        assert task.accepts(float(value), variant.parameters)
        return Answer((value, value))
    if kind == "short":
        return Answer(task.accepted[:1])
    if kind == "order":
        return Answer(tuple(step.id for step in task.steps))
    if kind == "match":
        return Answer(tuple(premise.response for premise in task.premises))
    if kind == "matrix":
        return Answer(typed_cells(task, task.drawn(variant.parameters).key))
    return Answer(tuple(sorted(option.id for option in task.options if option.is_right)))


def wrong_answer_to(question: Question, variant: Variant) -> Answer:
    task, kind = question.task, question.kind
    if kind == "numeric":
        value = f"{parse_expression(task.wrong[0].value).number(variant.parameters):.6f}"
        return Answer((value, value))
    if kind == "short":
        return Answer(task.wrong[0].forms[:1])
    if kind == "matrix":
        return Answer(typed_cells(task, task.drawn(variant.parameters).slips[0]))
    if kind == "order":  # one pair holds, the others do not
        first, second, *others = (step.id for step in task.steps)
        return Answer((*reversed(others), first, second))
    if kind == "match":  # one pair holds, one is open, the others are wrong
        first, _, *others = (premise.response for premise in task.premises)
        return Answer((first, "", *others[1:], task.responses[-1].id))
    return Answer((next(option.id for option in task.options if not option.is_right),))


def typed_cells(task: MatrixTask, values: Matrix) -> tuple[str, ...]:
    """Return the blank cells of a matrix as a learner types them: rounded, and minus infinity as a word."""
    entries = [at(values, cell) for cell in task.blanks]
    return tuple("-inf" if entry == -math.inf else f"{entry:.{task.decimals}f}" for entry in entries)


def answer_and_hand_in(sitting):
    """One single right, another wrong, the multi right in part, a number wrong, one question open."""
    slots = list(sitting.slots.select_related("snapshot").order_by("position"))
    singles = [slot for slot in slots if slot.snapshot.question().kind == "single"]
    numeric, multi = slot_of(sitting, "numeric"), slot_of(sitting, "multi")
    wrong = numeric.snapshot.question().task.wrong[0]
    value = f"{parse_expression(wrong.value).number(numeric.variant.parameters):.3f}"
    sittings.record_answer(sitting.pk, singles[0].position, right_answer(singles[0]), 0)
    sittings.record_answer(sitting.pk, singles[1].position, wrong_answer(singles[1]), 0)
    sittings.record_answer(sitting.pk, multi.position, Answer(right_answer(multi).parts[:1]), 0)
    sittings.record_answer(sitting.pk, numeric.position, Answer((value, value)), 0)
    sittings.hand_in(sitting.pk)
    return singles, multi, numeric, value
