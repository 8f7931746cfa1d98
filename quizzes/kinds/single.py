"""One right option among several. Worth everything or nothing."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from courseware.concepts.sources import Fields
from quizzes import choices, prose
from quizzes.choices import ChoiceControl, ChoiceTask, Option
from quizzes.questions import (
    Answer,
    Commentary,
    Grounds,
    KeyLength,
    Kind,
    Marked,
    Note,
    Posed,
    Shape,
    Unreadable,
    Variant,
)


class Single(Kind[ChoiceTask]):
    """Radio buttons: the learner picks one."""

    name = "single"

    def parse(self, fields: Fields, grounds: Grounds) -> ChoiceTask | None:
        task = choices.parse_options(fields, grounds, cause_required=True)
        if not 3 <= len(task.options) <= 5:
            fields.fault("options", f"are {len(task.options)}; a single has 3 to 5")
        right = sum(option.is_right for option in task.options)
        if right != 1:
            fields.fault("options", f"hold {right} right ones; a single has exactly one")
            return None
        for option in task.options:
            if option.is_right and option.cause is not None:
                fields.fault("options", f"option {option.id!r} is right, so it has no misconception and no slip")
        _check_no_echo(fields, task)
        return task

    def freeze(self, task: ChoiceTask) -> dict[str, Any]:
        return choices.freeze(task)

    def thaw(self, body: Mapping[str, Any]) -> ChoiceTask:
        return choices.thaw(body)

    def marking_key(self, task: ChoiceTask) -> Any:
        return choices.marking_key(task, "all or nothing")

    def key_length(self, task: ChoiceTask) -> KeyLength:
        return choices.key_length(task)

    def draw(self, task: ChoiceTask, *, seed: str, question_id: str) -> Variant:
        return choices.draw(task, seed=seed, question_id=question_id)

    def control(self, posed: Posed[ChoiceTask], answer: Answer | None) -> ChoiceControl:
        return choices.control(posed, answer)

    def read(self, posed: Posed[ChoiceTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        return choices.read(posed.variant, posted, at_most=1)

    def mark(self, posed: Posed[ChoiceTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        picked = posed.task.option(answer.parts[0])
        return Marked(Fraction(picked.is_right), (picked.cause,) if picked.cause else ())

    def comment(self, posed: Posed[ChoiceTask], answer: Answer | None) -> Commentary:
        picked = posed.task.option(answer.parts[0]) if answer else None
        in_order = [posed.task.option(option_id) for option_id in posed.variant.option_order]
        # The pick, then the answer, then the others as they stood: sorting is stable.
        in_order.sort(key=lambda option: (option is not picked, not option.is_right))
        notes = tuple(_note(option, picked) for option in in_order)
        if picked is None:
            return Commentary(Shape.OPEN, "Left open.", "", notes)
        if picked.is_right:
            return Commentary(Shape.RIGHT, "Right.", "", notes)
        return Commentary(Shape.WRONG, "Not this one.", _reason(picked), notes)


def _note(option: Option, picked: Option | None) -> Note:
    is_mine = option is picked
    if option.is_right:
        shape, label = Shape.RIGHT, "Your pick, the answer" if is_mine else "The answer"
    else:
        shape, label = (Shape.WRONG, "Your pick") if is_mine else (Shape.OPEN, "Also offered")
    why = option.explanation
    return Note(shape, label, is_mine, option.text, why.why, why.see, option.cause)


def _reason(picked: Option) -> str:
    return f"It goes with “{picked.cause.label}”." if picked.cause else ""


def _check_no_echo(fields: Fields, task: ChoiceTask) -> None:
    # A right option that alone takes up the words of the stem is found without knowing anything.
    stem = prose.long_words(fields.text("stem"))
    echoes = {option.id: stem & prose.long_words(option.text) for option in task.options}
    key = next(option.id for option in task.options if option.is_right)
    others = [echo for option_id, echo in echoes.items() if option_id != key]
    own = echoes[key].difference(*others)
    if own and len(echoes[key]) > max(map(len, others)):
        fields.fault(
            "options", f"the right option alone repeats {', '.join(sorted(own))} of the stem; share it or drop it"
        )


KIND = Single()
