"""One pick among several options: how it is drawn, read, marked and explained, whatever the options say.

The kinds that ask for one pick differ in what their options are and in how a page shows them. Pure.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from courseware.concepts.sources import Fields
from quizzes import choices
from quizzes.choices import ChoiceTask, Option
from quizzes.questions import Answer, Commentary, Figure, Kind, Marked, Note, Posed, Shape, Unreadable, Variant

PickTask = TypeVar("PickTask", bound=ChoiceTask)


class OnePick(Kind[PickTask]):
    """A kind with exactly one right option. Worth everything or nothing."""

    def marking_key(self, task: PickTask) -> Any:
        return choices.marking_key(task, "all or nothing")

    def draw(self, task: PickTask, *, seed: str, question_id: str) -> Variant:
        return choices.draw(task, seed=seed, question_id=question_id)

    def read(self, posed: Posed[PickTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        return choices.read(posed.variant, posted, at_most=1)

    def mark(self, posed: Posed[PickTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        picked = posed.task.option(answer.parts[0])
        return Marked(Fraction(picked.is_right), (picked.cause,) if picked.cause else ())

    def comment(self, posed: Posed[PickTask], answer: Answer | None) -> Commentary:
        picked = posed.task.option(answer.parts[0]) if answer else None
        in_order = [posed.task.option(option_id) for option_id in posed.variant.option_order]
        # The pick, then the answer, then the others as they stood: sorting is stable.
        in_order.sort(key=lambda option: (option is not picked, not option.is_right))
        notes, whole = tuple(self.note(posed, option, picked) for option in in_order), self.whole(posed)
        if picked is None:
            return Commentary(Shape.OPEN, "Left open.", "", notes, whole)
        if picked.is_right:
            return Commentary(Shape.RIGHT, "Right.", "", notes, whole)
        reason = f"It goes with “{picked.cause.label}”." if picked.cause else ""
        return Commentary(Shape.WRONG, "Not this one.", reason, notes, whole)

    @abstractmethod
    def note(self, posed: Posed[PickTask], option: Option, picked: Option | None) -> Note:
        """Return the explanation of an option, given the one that was picked."""

    def whole(self, posed: Posed[PickTask]) -> Figure | None:  # noqa: ARG002
        """Return what all options are parts of, where they are parts of something."""
        return None


def shape_of(option: Option, picked: Option | None) -> Shape:
    """Return the mark before an option; what is neither right nor picked is not judged."""
    return Shape.RIGHT if option.is_right else Shape.WRONG if option is picked else Shape.OPEN


def label_of(option: Option, picked: Option | None) -> str:
    """Return the words before an option."""
    if option.is_right:
        return "Your pick, the answer" if option is picked else "The answer"
    return "Your pick" if option is picked else "Also offered"


def check_one_right(fields: Fields, key: str, options: Sequence[Option]) -> bool:
    """Tell whether exactly one option is right, faults reported; a right one comes of no wrong idea."""
    right = [option for option in options if option.is_right]
    if len(right) != 1:
        fields.fault(key, f"hold {len(right)} right ones; there is exactly one to pick")
        return False
    if right[0].cause is not None:
        fields.fault(key, f"option {right[0].id!r} is right, so it has no misconception and no slip")
    return True
