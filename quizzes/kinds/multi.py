"""Several statements, each true or false by itself. Worth right ticks less wrong ones, over the true statements."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from courseware.concepts.sources import Fields
from quizzes import choices
from quizzes.choices import ChoiceControl, ChoiceTask, Option
from quizzes.questions import Answer, Commentary, Grounds, Kind, Marked, Note, Posed, Shape, Unreadable, Variant

_TASK = "choose every statement that is true"


class Multi(Kind[ChoiceTask]):
    """Checkboxes: the learner ticks every true statement."""

    name = "multi"

    def parse(self, fields: Fields, grounds: Grounds) -> ChoiceTask | None:
        task = choices.parse_options(fields, grounds, cause_required=True)
        right = sum(option.is_right for option in task.options)
        if len(task.options) != 5 or not 2 <= right <= 3:
            fields.fault("options", f"are {len(task.options)} with {right} true; a multi has 5 with 2 or 3 true")
            return None
        if _TASK not in fields.text("stem").lower():
            fields.fault("stem", f"must say “{_TASK.capitalize()}”")
        return task

    def freeze(self, task: ChoiceTask) -> dict[str, Any]:
        return choices.freeze(task)

    def thaw(self, body: Mapping[str, Any]) -> ChoiceTask:
        return choices.thaw(body)

    def marking_key(self, task: ChoiceTask) -> Any:
        return choices.marking_key(task, "right ticks less wrong ticks, over the true statements, at least 0")

    def draw(self, task: ChoiceTask, *, seed: str, question_id: str) -> Variant:
        return choices.draw(task, seed=seed, question_id=question_id)

    def control(self, posed: Posed[ChoiceTask], answer: Answer | None) -> ChoiceControl:
        return choices.control(posed, answer)

    def read(self, posed: Posed[ChoiceTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        return choices.read(posed.variant, posted, at_most=len(posed.task.options))

    def mark(self, posed: Posed[ChoiceTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        ticked = set(answer.parts)
        right = sum(option.is_right for option in posed.task.options if option.id in ticked)
        true = sum(option.is_right for option in posed.task.options)
        misjudged = [option for option in posed.task.options if option.is_right != (option.id in ticked)]
        causes = dict.fromkeys(option.cause for option in misjudged if option.cause)
        return Marked(max(Fraction(0), Fraction(right - (len(ticked) - right), true)), tuple(causes))

    def comment(self, posed: Posed[ChoiceTask], answer: Answer | None) -> Commentary:
        ticked = set(answer.parts) if answer else set()
        in_order = [posed.task.option(option_id) for option_id in posed.variant.option_order]
        if answer:  # what was misjudged first, false ticks before missed truths
            in_order.sort(key=lambda option: (option.is_right == (option.id in ticked), option.id not in ticked))
        else:
            in_order.sort(key=lambda option: not option.is_right)
        notes = tuple(_note(option, option.id in ticked, is_open=answer is None) for option in in_order)
        if answer is None:
            return Commentary(Shape.OPEN, "Left open.", "", notes)
        fraction = self.mark(posed, answer).fraction
        shape = Shape.RIGHT if fraction == 1 else Shape.PARTLY if fraction else Shape.WRONG
        word = {Shape.RIGHT: "Right.", Shape.PARTLY: "Partly right.", Shape.WRONG: "Not these."}[shape]
        return Commentary(shape, word, "" if fraction == 1 else _reason(posed.task, ticked), notes)


def _note(option: Option, is_ticked: bool, *, is_open: bool) -> Note:
    why = option.explanation
    if is_open:
        shape, label = (Shape.RIGHT, "True") if option.is_right else (Shape.OPEN, "False")
    elif is_ticked:
        shape, label = (Shape.RIGHT, "Ticked, and true") if option.is_right else (Shape.WRONG, "Ticked, but false")
    else:
        shape, label = (Shape.WRONG, "Not ticked, but true") if option.is_right else (Shape.OPEN, "Not ticked, false")
    is_mine = not is_open and option.is_right != is_ticked
    # A cause says what a misjudgement shows; where the statement was judged rightly it would accuse of nothing.
    return Note(shape, label, is_mine or is_ticked, option.text, why.why, why.see, option.cause if is_mine else None)


def _reason(task: ChoiceTask, ticked: set[str]) -> str:
    true = sum(option.is_right for option in task.options)
    right = sum(option.is_right for option in task.options if option.id in ticked)
    wrong = len(ticked) - right
    false_ones = "no false one" if not wrong else f"{wrong} false one{'' if wrong == 1 else 's'}"
    return f"{right} of {true} true statements ticked, and {false_ones}."


KIND = Multi()
