"""A family of numeric variants: its key and its diagnosed wrong values over the whole grid of parameters.

The grid is finite, so every variant is checked when the course is loaded and none can surprise a learner. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from courseware.concepts.sources import Fields
from quizzes import families, prose
from quizzes.expressions import Expression, ExpressionError, Number, parse_expression
from quizzes.families import Parameters, Tolerance, spelt
from quizzes.numbers import spell
from quizzes.questions import Cause, Explanation, Grounds

FEWEST_ANSWERS = 3  # fewer would let neighbours share an answer
MOST_VARIANTS = 5000  # all of them are checked at every start


@dataclass(frozen=True)
class WrongValue:
    """A value that a known misconception or slip leads to."""

    value: str  # an expression
    cause: Cause
    explanation: Explanation


@dataclass(frozen=True)
class NumericTask:
    """A key formula over a grid of parameters, and what the likely wrong values mean."""

    parameters: Parameters
    where: str
    answer: str
    tolerance: Tolerance
    unit: str
    decimals: int
    right: Explanation
    otherwise: Explanation
    wrong: tuple[WrongValue, ...]

    def grid(self) -> tuple[Mapping[str, Number], ...]:
        return families.grid(self.parameters, self.where)

    def accepts(self, value: float, parameters: Mapping[str, Number]) -> bool:
        """Tell whether a value is near enough to the key."""
        return self._is_near(value, self.answer, parameters)

    def recognised(self, value: float, parameters: Mapping[str, Number]) -> tuple[WrongValue, ...]:
        """Return every diagnosed wrong value that this value is near to, in their author's order."""
        return tuple(wrong for wrong in self.wrong if self._is_near(value, wrong.value, parameters))

    def shown(self, value: Number) -> str:
        """Return a value with the question's decimals, or as many more as it takes to count as that value."""
        for decimals in range(self.decimals, 12):
            text = spell(value, decimals, fixed=not float(value).is_integer(), minus="-")
            if abs(float(text) - value) <= self.tolerance.around(float(value)) + 1e-12:
                break
        return f"{text.replace('-', '−')} {self.unit}".rstrip()

    def _is_near(self, value: float, expression: str, parameters: Mapping[str, Number]) -> bool:
        return self.tolerance.is_near(value, float(parse_expression(expression).number(parameters)))


def parse(fields: Fields, grounds: Grounds) -> NumericTask | None:
    """Return the family that a bank's entry describes, or None after reporting its faults."""
    family = families.parse_parameters(fields, most=MOST_VARIANTS)
    answer, tolerance = fields.text("answer"), families.parse_tolerance(fields)
    unit = fields.text("unit", required=False)
    decimals = fields.integer("decimals", default=3)
    if family is None:
        return None
    parameters, where = family
    grid = families.grid(parameters, where)
    keys = _values(fields, "answer", answer, grid)
    if len({round(key, 9) for key in keys}) < FEWEST_ANSWERS and keys:
        fields.fault("answer", f"takes fewer than {FEWEST_ANSWERS} values over all variants")
    if tolerance.kind == "rel" and 0 in keys:
        fields.fault("tolerance", "is a share of the key, but the key is 0 in a variant; give {abs: number}")
    families.check_filled(fields, "stem", fields.text("stem"), grid)
    right = families.parse_explanation(fields, grounds, grid, decimals)
    otherwise = families.parse_otherwise(fields, grounds, grid, decimals)
    entries = fields.each("wrong")
    wrong = tuple(_parse_wrong(entry, grounds, grid, decimals, keys, tolerance) for entry in entries)
    _check_apart(entries, wrong, grid, tolerance)
    if not wrong:
        fields.fault("wrong", "names no wrong value; at least one must be diagnosed")
    if otherwise is None or not keys or None in wrong:
        return None
    return NumericTask(
        parameters=parameters,
        where=where,
        answer=answer,
        tolerance=tolerance,
        unit=unit,
        decimals=decimals,
        right=right,
        otherwise=otherwise,
        wrong=tuple(each for each in wrong if each is not None),
    )


def _parse_wrong(
    fields: Fields,
    grounds: Grounds,
    grid: tuple[Mapping[str, Number], ...],
    decimals: int,
    keys: list[float],
    tolerance: Tolerance,
) -> WrongValue | None:
    value = fields.text("value")
    cause = prose.cause(fields, grounds, required=True)
    explanation = families.parse_explanation(fields, grounds, grid, decimals)
    fields.refuse_unknown()
    values = _values(fields, "value", value, grid)
    for parameters, key, wrong in zip(grid, keys, values, strict=False):
        if tolerance.could_meet(wrong, key):
            fields.fault(
                "value", f"is {wrong:g} for {spelt(parameters)}, within twice the tolerance of the key {key:g}"
            )
            break
    return WrongValue(value=value, cause=cause, explanation=explanation) if cause and values else None


def _check_apart(
    entries: Sequence[Fields],
    wrong: Sequence[WrongValue | None],
    grid: tuple[Mapping[str, Number], ...],
    tolerance: Tolerance,
) -> None:
    """Report two wrong values that meet in a variant: an answer there would be given the wrong one's explanation."""
    values = [
        _values(entry, "value", each.value, grid) if each else [] for entry, each in zip(entries, wrong, strict=True)
    ]
    for later, entry in enumerate(entries):
        for earlier in range(later):
            for parameters, one, other in zip(grid, values[earlier], values[later], strict=False):
                if tolerance.could_meet(one, other):
                    entry.fault("value", f"is that of another wrong value for {spelt(parameters)}: {other:g}")
                    break


def _values(fields: Fields, name: str, text: str, grid: tuple[Mapping[str, Number], ...]) -> list[float]:
    """Return the value for every variant, or nothing after reporting why one of them has none."""
    if not text:
        return []
    try:
        expression: Expression = parse_expression(text)
        return [float(expression.number(parameters)) for parameters in grid]
    except ExpressionError as error:
        fields.fault(name, str(error))
        return []
