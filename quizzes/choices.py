"""Options to choose from: what the kinds with options have in common, from the bank's text to the form.

Knows nothing of how a choice is marked or explained; that is each kind's own. Pure.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from courseware.concepts.markup import render_inline
from courseware.concepts.sources import Fields
from quizzes import prose
from quizzes.questions import Answer, Cause, Explanation, Grounds, KeyLength, Posed, Unreadable, Variant
from quizzes.variants import shuffled

FIELD = "choice"  # the name of the form field


@dataclass(frozen=True)
class Option:
    """One thing to choose, and why it is right or wrong."""

    id: str
    text: str  # inline Markdown; code, where the kind is about code
    is_right: bool
    explanation: Explanation
    cause: Cause | None


@dataclass(frozen=True)
class ChoiceTask:
    """The options of a question, in their author's order."""

    options: tuple[Option, ...]
    is_ordered: bool  # numbers and times keep their natural order; everything else is shuffled for each learner

    def option(self, option_id: str) -> Option:
        return next(option for option in self.options if option.id == option_id)


AnyChoice = TypeVar("AnyChoice", bound=ChoiceTask)


@dataclass(frozen=True)
class ShownOption:
    """An option as a form offers it. Its value is its place, since an id might give something away."""

    value: str
    html: str
    is_chosen: bool


@dataclass(frozen=True)
class ChoiceControl:
    options: tuple[ShownOption, ...]


def parse_options(fields: Fields, grounds: Grounds, *, cause_required: bool) -> ChoiceTask:
    """Return the options of a bank's entry; `cause_required` holds for those that are not right."""
    options: list[Option] = []
    for entry in fields.each("options"):
        id_, text = prose.offered(entry, grounds, "option", {other.id: other.text for other in options})
        options.append(parse_option(entry, grounds, id_=id_, text=text, cause_required=cause_required))
        entry.refuse_unknown()
    task = ChoiceTask(options=tuple(options), is_ordered=fields.flag("ordered"))
    check_lengths(fields, options)
    _check_numbers(fields, task)
    return task


def parse_option(entry: Fields, grounds: Grounds, *, id_: str, text: str, cause_required: bool) -> Option:
    """Return one option, given its name and what it says; `cause_required` holds unless it is right."""
    is_right = entry.flag("right")
    return Option(
        id=id_,
        text=text,
        is_right=is_right,
        explanation=prose.explanation(entry, grounds),
        cause=prose.cause(entry, grounds, required=cause_required and not is_right),
    )


def freeze(task: ChoiceTask) -> dict[str, Any]:
    """Return the options as JSON values."""
    return {
        "is_ordered": task.is_ordered,
        "options": [
            {
                "id": option.id,
                "text": option.text,
                "is_right": option.is_right,
                "why": option.explanation.why,
                "see": option.explanation.see,
                "cause": None if option.cause is None else {"id": option.cause.id, "label": option.cause.label},
            }
            for option in task.options
        ],
    }


def thaw(body: Mapping[str, Any]) -> ChoiceTask:
    """Return the options that `freeze` wrote."""
    return ChoiceTask(
        is_ordered=body["is_ordered"],
        options=tuple(
            Option(
                id=option["id"],
                text=option["text"],
                is_right=option["is_right"],
                explanation=Explanation(why=option["why"], see=option["see"]),
                cause=None if option["cause"] is None else Cause(**option["cause"]),
            )
            for option in body["options"]
        ),
    )


def marking_key(task: ChoiceTask, rule: str) -> dict[str, Any]:
    """Return what decides the mark of a choice: which options exist, which are right, and the rule."""
    return {
        "rule": rule,
        "options": sorted(option.id for option in task.options),
        "right": sorted(option.id for option in task.options if option.is_right),
    }


def key_length(task: ChoiceTask) -> KeyLength:
    """Return how long the one right option looks among the others."""
    key = next(prose.visible_length(option.text) for option in task.options if option.is_right)
    others = [prose.visible_length(option.text) for option in task.options if not option.is_right]
    if key > max(others):
        return KeyLength.LONGEST
    return KeyLength.SHORTEST if key < min(others) else KeyLength.BETWEEN


def draw(task: ChoiceTask, *, seed: str, question_id: str) -> Variant:
    """Return the order in which a learner meets the options."""
    ids = tuple(option.id for option in task.options)
    return Variant(parameters={}, option_order=ids if task.is_ordered else shuffled(ids, seed, question_id))


def control(
    posed: Posed[AnyChoice], answer: Answer | None, html_of: Callable[[str], str] = render_inline
) -> ChoiceControl:
    """Return the options as a form offers them; `html_of` sets the text of one."""
    chosen = answer.parts if answer else ()
    return ChoiceControl(
        tuple(
            ShownOption(value=str(place), html=html_of(posed.task.option(id_).text), is_chosen=id_ in chosen)
            for place, id_ in enumerate(posed.variant.option_order, start=1)
        )
    )


def read(variant: Variant, posted: Mapping[str, Sequence[str]], *, at_most: int) -> Answer | Unreadable | None:
    """Return the chosen option ids, in the author's-independent order of their ids."""
    places = {str(place): id_ for place, id_ in enumerate(variant.option_order, start=1)}
    values = [value for value in posted.get(FIELD, ()) if value]
    if any(value not in places for value in values):
        return Unreadable("What was sent is not one of the options. Load the page again and choose from its list.")
    chosen = sorted({places[value] for value in values})
    if len(chosen) > at_most:
        return Unreadable("More than one option was sent. Choose one.")
    return Answer(tuple(chosen)) if chosen else None


def check_lengths(fields: Fields, options: Sequence[Option]) -> None:
    """Report options of unequal length."""
    # A key that is longer than the rest is picked for its length.
    lengths = [prose.visible_length(option.text) for option in options]
    if not lengths:
        return
    mean = sum(lengths) / len(lengths)
    for index, length in enumerate(lengths):
        if length > 20 and not 0.75 * mean <= length <= 1.25 * mean:
            fields.fault(
                "options",
                f"option {options[index].id!r} has {length} characters, the mean is {mean:.0f}; "
                "stay within a quarter of the mean",
            )


def _check_numbers(fields: Fields, task: ChoiceTask) -> None:
    values, places = [], set()
    for option in task.options:
        text = option.text.strip().strip("$").replace("−", "-")
        try:
            values.append(float(text))
        except ValueError:
            return
        places.add(len(text.partition(".")[2]))
    if not values:
        return
    if not task.is_ordered or values != sorted(values):
        fields.fault("options", "are numbers: give them in ascending order and say `ordered: true`")
    if len(places) > 1:
        fields.fault("options", "are numbers: give all of them with the same number of decimals")
