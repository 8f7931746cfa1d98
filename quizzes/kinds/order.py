"""Steps to be put in order. Worth the pairs of neighbours that are right, over all pairs."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from itertools import count, pairwise
from typing import Any

from courseware.concepts.markup import render_inline
from courseware.concepts.sources import Fields
from quizzes import prose
from quizzes.questions import (
    Answer,
    Cause,
    Commentary,
    Explanation,
    Figure,
    Grounds,
    Kind,
    Marked,
    Note,
    Posed,
    Shape,
    Unreadable,
    Variant,
)
from quizzes.variants import shuffled

STEPS, OWN, MOVE = "step", "own", "move"  # names of the form fields; MOVE is "move" for the page too, which then stays
BOUNDS = (4, 6)  # steps; three are guessed too often, seven are no longer held in mind
_UNREADABLE = Unreadable("What was sent is no order of these steps. Load the page again and put its steps in order.")


@dataclass(frozen=True)
class Step:
    """One step, and why it needs the one before it."""

    id: str
    text: str  # inline Markdown
    explanation: Explanation

    @property
    def quoted(self) -> str:
        """The step as a part of a sentence, which brings a full stop of its own."""
        return f"“{self.text.removesuffix('.')}”"


@dataclass(frozen=True)
class Swap:
    """One step before another after which it belongs, and what leads to that."""

    early: str
    late: str
    cause: Cause

    def moved(self, order: Sequence[str], right: Sequence[str]) -> str | None:
        """Return which of the two steps is all that is out of place, None if neither is: a jumble shows no idea."""
        if order.index(self.early) > order.index(self.late):
            return None
        for step in (self.early, self.late):
            if [each for each in order if each != step] == [each for each in right if each != step]:
                return step
        return None


@dataclass(frozen=True)
class OrderTask:
    """The steps in the right order, and the mistakes in it that are known."""

    steps: tuple[Step, ...]
    swaps: tuple[Swap, ...] = ()

    def step(self, step_id: str) -> Step:
        return next(step for step in self.steps if step.id == step_id)

    def before(self, step: Step) -> Step | None:
        """Return the step that comes directly before; None for the first."""
        place = self.steps.index(step)
        return self.steps[place - 1] if place else None

    def after(self, step: Step) -> Step | None:
        """Return the step that comes directly after; None for the last."""
        place = self.steps.index(step)
        return self.steps[place + 1] if place + 1 < len(self.steps) else None


@dataclass(frozen=True)
class ShownStep:
    """A step as a form offers it. Its value is its place at first, since an id might give something away."""

    value: str
    html: str


@dataclass(frozen=True)
class OrderControl:
    steps: tuple[ShownStep, ...]
    is_own: bool  # the order is the learner's; untouched, it is only how the steps were shuffled


@dataclass(frozen=True)
class Orders:
    """What the commentary shows first: the order that was given, beside the right one."""

    given: tuple[str, ...]  # safe HTML
    right: tuple[str, ...]  # safe HTML


class Order(Kind[OrderTask]):
    """A list whose steps can be moved."""

    name = "order"

    def parse(self, fields: Fields, grounds: Grounds) -> OrderTask | None:
        steps: list[Step] = []
        for entry in fields.each("steps"):
            identifier, text = prose.offered(entry, grounds, "step", {step.id: step.text for step in steps})
            explanation = prose.explanation(entry, grounds, length=prose.PART)
            entry.refuse_unknown()
            steps.append(Step(id=identifier, text=text, explanation=explanation))
        if not BOUNDS[0] <= len(steps) <= BOUNDS[1]:
            fields.fault("steps", f"are {len(steps)}; an order has {BOUNDS[0]} to {BOUNDS[1]}")
            return None
        return OrderTask(steps=tuple(steps), swaps=_parse_swaps(fields, grounds, [step.id for step in steps]))

    def freeze(self, task: OrderTask) -> dict[str, Any]:
        return asdict(task)

    def thaw(self, body: Mapping[str, Any]) -> OrderTask:
        return OrderTask(
            steps=tuple(
                Step(id=step["id"], text=step["text"], explanation=Explanation(**step["explanation"]))
                for step in body["steps"]
            ),
            # Questions that were asked before there were any have none.
            swaps=tuple(Swap(**{**swap, "cause": Cause(**swap["cause"])}) for swap in body.get("swaps", ())),
        )

    def marking_key(self, task: OrderTask) -> Any:
        return {"rule": "right pairs of neighbours, over all pairs", "steps": [step.id for step in task.steps]}

    def draw(self, task: OrderTask, *, seed: str, question_id: str) -> Variant:
        right = tuple(step.id for step in task.steps)
        # Shuffled again until it is not the right order, which would be answered by leaving it.
        names = (question_id if attempt == 0 else f"{question_id}|{attempt}" for attempt in count())
        order = next(order for name in names if (order := shuffled(right, seed, name)) != right)
        return Variant(parameters={}, option_order=order)

    def control(self, posed: Posed[OrderTask], answer: Answer | None) -> OrderControl:
        values = {step_id: value for value, step_id in _places(posed).items()}
        shown = answer.parts if answer else posed.variant.option_order
        return OrderControl(
            steps=tuple(ShownStep(values[id_], render_inline(posed.task.step(id_).text)) for id_ in shown),
            is_own=answer is not None,
        )

    def read(self, posed: Posed[OrderTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        places = _places(posed)
        sent, move = list(posted.get(STEPS, ())), "".join(posted.get(MOVE, ())[:1])
        is_own = any(posted.get(OWN, ()))
        if not sent and not move and not is_own:
            return None
        moved = _moved(sent, move)
        if moved is None or sorted(moved) != sorted(places):
            return _UNREADABLE
        return Answer(tuple(places[value] for value in moved)) if is_own or moved != sent else None

    def mark(self, posed: Posed[OrderTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        right = set(pairwise(step.id for step in posed.task.steps))
        fraction = Fraction(sum(pair in right for pair in pairwise(answer.parts)), len(right))
        return Marked(fraction, tuple(dict.fromkeys(_causes(posed.task, answer).values())))

    def comment(self, posed: Posed[OrderTask], answer: Answer | None) -> Commentary:
        task = posed.task
        if answer is None:
            notes = tuple(
                Note(Shape.RIGHT, f"Step {place}", False, step.text, step.explanation.why, step.explanation.see)
                for place, step in enumerate(task.steps, start=1)
            )
            return Commentary(Shape.OPEN, "Left open.", "", notes)
        given = [task.step(step_id) for step_id in answer.parts]
        pairs = enumerate(pairwise(given), start=1)
        notes = (_first(task, given[0]), *(_pair(task, place, one, other) for place, (one, other) in pairs))
        fraction, causes = self.mark(posed, answer).fraction, _causes(task, answer)
        notes = tuple(replace(note, cause=causes.get(step.id)) for note, step in zip(notes, given, strict=True))
        if fraction == 1:
            return Commentary(Shape.RIGHT, "Right.", "", notes)
        shape, word = (Shape.PARTLY, "Partly right.") if fraction else (Shape.WRONG, "Not this order.")
        right = int(fraction * (len(given) - 1))
        follow = "follows the one it needs" if right == 1 else "follow the one they need"
        named = "".join(f" It goes with “{cause.label}”." for cause in dict.fromkeys(causes.values()))
        reason = f"{right} of {len(given) - 1} steps {follow}.{named}"
        orders = Orders(given=_html(given), right=_html(task.steps))
        return Commentary(shape, word, reason, notes, Figure("quizzes/_orders.html", orders))


def _parse_swaps(fields: Fields, grounds: Grounds, steps: list[str]) -> tuple[Swap, ...]:
    swaps: list[Swap] = []
    for entry in fields.each("swaps", required=False):
        early, late = entry.text("early"), entry.text("late")
        cause = prose.cause(entry, grounds, required=True)
        entry.refuse_unknown()
        unknown = {key: step for key, step in (("early", early), ("late", late)) if step and step not in steps}
        for key, step in unknown.items():
            entry.fault(key, f"{step!r} is no step of this question")
        if unknown or not (early and late):
            continue
        if steps.index(early) <= steps.index(late):
            entry.fault("early", f"{early!r} does not come after {late!r} in the right order")
        elif any((swap.early, swap.late) == (early, late) for swap in swaps):
            entry.fault("early", f"{early!r} before {late!r} stands here twice")
        elif cause:
            swaps.append(Swap(early, late, cause))
    return tuple(swaps)


def _causes(task: OrderTask, answer: Answer) -> dict[str, Cause]:
    """Return what led to an order, by the step that is out of place."""
    right = [step.id for step in task.steps]
    return {moved: swap.cause for swap in task.swaps if (moved := swap.moved(answer.parts, right))}


def _places(posed: Posed[OrderTask]) -> dict[str, str]:
    """Return which step each value of the form stands for."""
    return {str(place): step_id for place, step_id in enumerate(posed.variant.option_order, start=1)}


def _moved(sent: list[str], move: str) -> list[str] | None:
    """Return what was sent after a move such as "up-3", which moves the step with the value 3; None if it cannot be."""
    if not move:
        return sent
    direction, _, value = move.partition("-")
    if direction not in ("up", "down") or value not in sent:
        return None
    moved = [each for each in sent if each != value]
    moved.insert(max(0, sent.index(value) + (1 if direction == "down" else -1)), value)
    return moved


def _first(task: OrderTask, step: Step) -> Note:
    before, why = task.before(step), step.explanation
    if before is None:
        return Note(Shape.RIGHT, "Your step 1, right", True, step.text, why.why, why.see)
    needed = f"Before it comes {before.quoted}. {why.why}"
    return Note(Shape.WRONG, "Your step 1, too early", True, step.text, needed, why.see)


def _pair(task: OrderTask, place: int, one: Step, other: Step) -> Note:
    """Return what there is to say of two steps that follow each other in the learner's order."""
    label, said = f"Your steps {place} and {place + 1}", f"{one.quoted}, then {other.quoted}"
    why, before, after = other.explanation, task.before(other), task.after(one)
    if before is one:
        return Note(Shape.RIGHT, f"{label}, right", True, said, why.why, why.see)
    # Two bonds are broken: that of the first step with what it leads to, and that of the second with what it needs.
    follows = f"After {one.quoted} comes {after.quoted}. {after.explanation.why}" if after else ""
    needs = f"Before {other.quoted} comes {before.quoted}." if before else f"{other.quoted} is the first step."
    return Note(
        Shape.WRONG,
        f"{label}, wrong",
        True,
        said,
        # The text of the last step itself stands in the note before this one.
        follows or f"Nothing comes after {one.quoted}, the last step.",
        (after or one).explanation.see,
        also=Explanation(why=f"{needs} {why.why}", see=why.see),
    )


def _html(steps: Sequence[Step]) -> tuple[str, ...]:
    return tuple(render_inline(step.text) for step in steps)


KIND = Order()
