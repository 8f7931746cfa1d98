"""A number to be worked out, drawn from a family of variants; a wrong value is recognised by what leads to it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from courseware.concepts.sources import Fields
from quizzes import numeric_grid, placeholders
from quizzes.expressions import Number, parse_expression
from quizzes.families import Tolerance
from quizzes.numbers import read_as, read_number
from quizzes.numeric_grid import NumericTask, WrongValue
from quizzes.questions import (
    Answer,
    Cause,
    Commentary,
    Explanation,
    Grounds,
    Kind,
    Marked,
    Note,
    Posed,
    Shape,
    Unreadable,
    Variant,
)
from quizzes.variants import variant_index

FIELD = "number"  # the name of the form field


@dataclass(frozen=True)
class NumericControl:
    """What the form shows: what was typed, and the unit that need not be."""

    typed: str
    unit: str
    has_signs: bool  # whether a phone must offer a minus, which its decimal keys lack


class Numeric(Kind[NumericTask]):
    """A text field that reads a decimal comma or point."""

    name = "numeric"

    def parse(self, fields: Fields, grounds: Grounds) -> NumericTask | None:
        return numeric_grid.parse(fields, grounds)

    def freeze(self, task: NumericTask) -> dict[str, Any]:
        return {
            **self.marking_key(task),
            "unit": task.unit,
            "decimals": task.decimals,
            "right": _frozen(task.right),
            "otherwise": _frozen(task.otherwise),
            "wrong": [
                {"value": wrong.value, "cause": {"id": wrong.cause.id, "label": wrong.cause.label}}
                | _frozen(wrong.explanation)
                for wrong in task.wrong
            ],
        }

    def thaw(self, body: Mapping[str, Any]) -> NumericTask:
        return NumericTask(
            parameters=tuple((name, tuple(values)) for name, values in body["parameters"]),
            where=body["where"],
            answer=body["answer"],
            tolerance=Tolerance(**body["tolerance"]),
            unit=body["unit"],
            decimals=body["decimals"],
            right=Explanation(**body["right"]),
            otherwise=Explanation(**body["otherwise"]),
            wrong=tuple(
                WrongValue(
                    value=wrong["value"],
                    cause=Cause(**wrong["cause"]),
                    explanation=Explanation(why=wrong["why"], see=wrong["see"]),
                )
                for wrong in body["wrong"]
            ),
        )

    def marking_key(self, task: NumericTask) -> dict[str, Any]:
        return {
            # Pairs, since a database may sort the keys of an object and the order decides the variant.
            "parameters": [[name, list(values)] for name, values in task.parameters],
            "where": task.where,
            "answer": task.answer,
            "tolerance": {"kind": task.tolerance.kind, "size": task.tolerance.size},
        }

    def draw(self, task: NumericTask, *, seed: str, question_id: str) -> Variant:
        grid = task.grid()
        return Variant(parameters=grid[variant_index(seed, question_id, len(grid))], option_order=())

    def variants(self, task: NumericTask) -> Sequence[Mapping[str, Number]]:
        return task.grid()

    def fill(self, text: str, posed: Posed[NumericTask]) -> str:
        return placeholders.fill(text, posed.variant.parameters, posed.task.decimals)

    def control(self, posed: Posed[NumericTask], answer: Answer | None) -> NumericControl:
        # Of the wrong values too, so that it says nothing about the key.
        formulas = (posed.task.answer, *(wrong.value for wrong in posed.task.wrong))
        return NumericControl(
            typed=answer.parts[0] if answer else "",
            unit=posed.task.unit,
            has_signs=any(parse_expression(text).number(posed.variant.parameters) < 0 for text in formulas),
        )

    def read(self, posed: Posed[NumericTask], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        typed = "".join(posted.get(FIELD, ())[:1])
        number = read_number(typed, posed.task.unit)
        if isinstance(number, Decimal):
            return Answer((typed.strip(), str(number)))
        return None if number is None else Unreadable(number.reason, given=(typed,))

    def read_back(self, answer: Answer) -> str:
        return read_as(Decimal(answer.parts[1]))

    def mark(self, posed: Posed[NumericTask], answer: Answer | None) -> Marked:
        if answer is None:
            return Marked(Fraction(0), ())
        value = _value(answer)
        if posed.task.accepts(value, posed.variant.parameters):
            return Marked(Fraction(1), ())
        return Marked(
            Fraction(0), tuple(wrong.cause for wrong in posed.task.recognised(value, posed.variant.parameters))
        )

    def comment(self, posed: Posed[NumericTask], answer: Answer | None) -> Commentary:
        key = parse_expression(posed.task.answer).number(posed.variant.parameters)
        is_right = answer is not None and posed.task.accepts(_value(answer), posed.variant.parameters)
        recognised = posed.task.recognised(_value(answer), posed.variant.parameters) if answer and not is_right else ()
        notes = []
        if answer and not is_right:
            notes.append(self._mine(posed, answer, recognised))
        said = _with_unit(answer.parts[0], posed.task.unit) if answer and is_right else posed.task.shown(key)
        label = "Your answer, and the answer" if is_right else "The answer"
        notes.append(self._note(posed, Shape.RIGHT, label, said, posed.task.right, is_mine=is_right))
        for wrong in posed.task.wrong:
            if wrong in recognised[:1]:
                continue
            value = parse_expression(wrong.value).number(posed.variant.parameters)
            label = "Your value as well" if wrong in recognised else "A known wrong value"
            said = posed.task.shown(value)
            notes.append(self._note(posed, Shape.OPEN, label, said, wrong.explanation, cause=wrong.cause))
        if answer is None:
            return Commentary(Shape.OPEN, "Left open.", "", tuple(notes))
        if is_right:
            return Commentary(Shape.RIGHT, "Right.", "", tuple(notes))
        return Commentary(Shape.WRONG, "Not this one.", _reason(answer, recognised), tuple(notes))

    def _mine(self, posed: Posed[NumericTask], answer: Answer, recognised: tuple[WrongValue, ...]) -> Note:
        why = recognised[0].explanation if recognised else posed.task.otherwise
        cause = recognised[0].cause if recognised else None
        said = _with_unit(answer.parts[0], posed.task.unit)
        return self._note(posed, Shape.WRONG, "Your answer", said, why, is_mine=True, cause=cause)

    def _note(
        self,
        posed: Posed[NumericTask],
        shape: Shape,
        label: str,
        said: str,
        explanation: Explanation,
        *,
        is_mine: bool = False,
        cause: Cause | None = None,
    ) -> Note:
        why = self.fill(explanation.why, posed)
        return Note(shape, label, is_mine, said, why, explanation.see, cause)


def _frozen(explanation: Explanation) -> dict[str, Any]:
    return {"why": explanation.why, "see": explanation.see}


def _value(answer: Answer) -> float:
    return float(Decimal(answer.parts[1]))


def _with_unit(text: str, unit: str) -> str:
    return f"{text} {unit}".rstrip()


def _reason(answer: Answer, recognised: tuple[WrongValue, ...]) -> str:
    if not recognised:
        return "No known idea or slip leads to this value."
    return f"{answer.parts[0]} is the value that goes with “{recognised[0].cause.label}”."


KIND = Numeric()
