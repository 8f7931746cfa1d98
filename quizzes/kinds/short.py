"""A word or a short phrase to be typed; a wrong form that is known is recognised by what leads to it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

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
from quizzes.wording import folded, tidied

FIELD = "words"  # the name of the form field
LONGEST = 80  # characters of an answer; a sentence is no short answer


@dataclass(frozen=True)
class WrongForms:
    """Wrong answers of one meaning, and what leads to them."""

    forms: tuple[str, ...]
    cause: Cause
    explanation: Explanation


@dataclass(frozen=True)
class ShortTask:
    """Every form that is accepted, and what is known about the others."""

    accepted: tuple[str, ...]
    right: Explanation
    wrong: tuple[WrongForms, ...]
    otherwise: Explanation

    def accepts(self, typed: str) -> bool:
        """Tell whether what was typed says the same as an accepted form."""
        return _is_among(self.accepted, typed)

    def recognised(self, typed: str) -> WrongForms | None:
        """Return the wrong forms that what was typed belongs to."""
        return next((wrong for wrong in self.wrong if _is_among(wrong.forms, typed)), None)


@dataclass(frozen=True)
class ShortControl:
    """What the form shows."""

    typed: str
    longest: int


class Short(Kind[ShortTask]):
    """A text field; case, hyphens, spaces and the look of a character do not matter."""

    name = "short"

    def parse(self, fields: Fields, grounds: Grounds) -> ShortTask | None:
        taken: dict[str, str] = {}
        accepted = _parse_forms(fields, "accepted", taken)
        right = prose.explanation(fields, grounds)
        wrong = tuple(_parse_wrong(entry, grounds, taken) for entry in fields.each("wrong"))
        if not wrong:
            fields.fault("wrong", "names no wrong form; at least one must be diagnosed")
        otherwise_fields = fields.fields("otherwise")
        otherwise = prose.explanation(otherwise_fields, grounds) if otherwise_fields else None
        if otherwise_fields:
            otherwise_fields.refuse_unknown()
        if not accepted or otherwise is None:
            return None
        known = tuple(each for each in wrong if each is not None)
        return ShortTask(accepted=accepted, right=right, wrong=known, otherwise=otherwise)

    def freeze(self, task: ShortTask) -> dict[str, Any]:
        return asdict(task)

    def thaw(self, body: Mapping[str, Any]) -> ShortTask:
        return ShortTask(
            accepted=tuple(body["accepted"]),
            right=Explanation(**body["right"]),
            otherwise=Explanation(**body["otherwise"]),
            wrong=tuple(
                WrongForms(
                    forms=tuple(wrong["forms"]),
                    cause=Cause(**wrong["cause"]),
                    explanation=Explanation(**wrong["explanation"]),
                )
                for wrong in body["wrong"]
            ),
        )

    def marking_key(self, task: ShortTask) -> Any:
        return {"accepted": sorted({folded(form) for form in task.accepted})}

    def draw(self, task: ShortTask, *, seed: str, question_id: str) -> Variant:  # noqa: ARG002
        return Variant(parameters={}, option_order=())

    def control(self, posed: Posed[ShortTask], answer: Answer | None) -> ShortControl:  # noqa: ARG002
        return ShortControl(typed=answer.parts[0] if answer else "", longest=LONGEST)

    def read(
        self,
        posed: Posed[ShortTask],  # noqa: ARG002
        posted: Mapping[str, Sequence[str]],
    ) -> Answer | Unreadable | None:
        typed = tidied("".join(posted.get(FIELD, ())[:1]))
        if len(typed) > LONGEST:
            reason = f"This has {len(typed)} characters, and a short answer has at most {LONGEST}. Leave only the term."
            return Unreadable(reason, given=(typed[: 4 * LONGEST],))  # enough to shorten, whatever was pasted
        return Answer((typed,)) if typed else None

    def mark(self, posed: Posed[ShortTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        if posed.task.accepts(answer.parts[0]):
            return Marked(Fraction(1), ())
        wrong = posed.task.recognised(answer.parts[0])
        return Marked(Fraction(0), (wrong.cause,) if wrong else ())

    def comment(self, posed: Posed[ShortTask], answer: Answer | None) -> Commentary:
        task = posed.task
        typed = answer.parts[0] if answer else ""
        is_right = answer is not None and task.accepts(typed)
        mine = None if answer is None or is_right else task.recognised(typed)
        notes = []
        if answer and not is_right:
            why, cause = (mine.explanation, mine.cause) if mine else (task.otherwise, None)
            notes.append(_note(Shape.WRONG, "Your answer", typed, why, is_mine=True, cause=cause))
        if is_right:
            notes.append(_note(Shape.RIGHT, "Your answer, and the answer", typed, task.right, is_mine=True))
        else:
            notes.append(_note(Shape.RIGHT, "The answer", task.accepted[0], task.right))
        for wrong in task.wrong:
            if wrong is not mine:
                said = ", ".join(wrong.forms)
                notes.append(_note(Shape.OPEN, "A known wrong answer", said, wrong.explanation, cause=wrong.cause))
        if answer is None:
            return Commentary(Shape.OPEN, "Left open.", "", tuple(notes))
        if is_right:
            return Commentary(Shape.RIGHT, "Right.", "", tuple(notes))
        reason = f"It goes with “{mine.cause.label}”." if mine else "No known idea or slip leads to this answer."
        return Commentary(Shape.WRONG, "Not this one.", reason, tuple(notes))


def _parse_wrong(fields: Fields, grounds: Grounds, taken: dict[str, str]) -> WrongForms | None:
    forms = _parse_forms(fields, "forms", taken)
    cause = prose.cause(fields, grounds, required=True)
    explanation = prose.explanation(fields, grounds)
    fields.refuse_unknown()
    return WrongForms(forms=forms, cause=cause, explanation=explanation) if forms and cause else None


def _parse_forms(fields: Fields, name: str, taken: dict[str, str]) -> tuple[str, ...]:
    """Return the forms under a key; `taken` holds those of the whole question, by what they are compared by."""
    forms = tuple(tidied(form) for form in fields.texts(name))
    if not forms and isinstance(fields.mapping.get(name), list):
        fields.fault(name, "must hold at least one form")
    for form in forms:
        key = folded(form)
        if not key or len(form) > LONGEST:
            fields.fault(name, f"{form!r} is no short answer: it needs 1 to {LONGEST} characters that count")
        elif key in taken:
            fields.fault(name, f"{form!r} says the same as {taken[key]!r}; each form stands once in a question")
        taken.setdefault(key, form)
    return forms


def _is_among(forms: Sequence[str], typed: str) -> bool:
    return folded(typed) in {folded(form) for form in forms}


def _note(
    shape: Shape, label: str, said: str, why: Explanation, *, is_mine: bool = False, cause: Cause | None = None
) -> Note:
    # What people typed is no Markdown: a dollar or a backslash of theirs must stand as it is.
    figure = Figure("quizzes/_typed.html", said)
    return Note(shape, label, is_mine, "", why.why, why.see, cause, figure)


KIND = Short()
