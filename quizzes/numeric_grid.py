"""A family of numeric variants: its key and its diagnosed wrong values over the whole grid of parameters.

The grid is finite, so every variant is checked when the course is loaded and none can surprise a learner. Pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from courseware.concepts.sources import Fields, YamlMapping
from quizzes import placeholders, prose
from quizzes.expressions import Expression, ExpressionError, Number, parse_expression
from quizzes.numbers import spell
from quizzes.questions import Cause, Explanation, Grounds
from quizzes.variants import combinations

FEWEST_VARIANTS, FEWEST_ANSWERS = 4, 3  # fewer would let neighbours share an answer
MOST_VARIANTS = 5000  # all of them are checked at every start


@dataclass(frozen=True)
class Tolerance:
    """How far from a value a number may lie: a distance ("abs"), a share of the value ("rel"), or not at all."""

    kind: str  # "abs", "rel" or "exact"
    size: float

    def around(self, value: float) -> float:
        return self.size * abs(value) if self.kind == "rel" else self.size


@dataclass(frozen=True)
class WrongValue:
    """A value that a known misconception or slip leads to."""

    value: str  # an expression
    cause: Cause
    explanation: Explanation


@dataclass(frozen=True)
class NumericTask:
    """A key formula over a grid of parameters, and what the likely wrong values mean."""

    parameters: tuple[tuple[str, tuple[Number, ...]], ...]
    where: str
    answer: str
    tolerance: Tolerance
    unit: str
    decimals: int
    right: Explanation
    otherwise: Explanation
    wrong: tuple[WrongValue, ...]

    def grid(self) -> tuple[Mapping[str, Number], ...]:
        return _grid(self.parameters, self.where)

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
        target = float(parse_expression(expression).number(parameters))
        tolerance = self.tolerance.around(target)
        # The bound itself counts, and 0.5 + 0.002 is not exactly 0.502 in binary.
        slack = 1e-9 * max(abs(target), tolerance) + 1e-12
        return abs(value - target) <= tolerance + slack


@lru_cache(maxsize=1024)
def _grid(parameters: tuple[tuple[str, tuple[Number, ...]], ...], where: str) -> tuple[Mapping[str, Number], ...]:
    return combinations(dict(parameters), parse_expression(where) if where else None)


def parse(fields: Fields, grounds: Grounds) -> NumericTask | None:
    """Return the family that a bank's entry describes, or None after reporting its faults."""
    parameters, where = _parse_parameters(fields), fields.text("where", required=False)
    answer, tolerance = fields.text("answer"), _parse_tolerance(fields)
    unit = fields.text("unit", required=False)
    decimals = fields.integer("decimals", default=3)
    try:
        grid = _grid(parameters, where)
    except ExpressionError as error:
        fields.fault("where", str(error))
        return None
    if len(grid) < FEWEST_VARIANTS:
        fields.fault("parameters", f"give {len(grid)} variants; at least {FEWEST_VARIANTS} are needed")
        return None
    keys = _values(fields, "answer", answer, grid)
    if len({round(key, 9) for key in keys}) < FEWEST_ANSWERS and keys:
        fields.fault("answer", f"takes fewer than {FEWEST_ANSWERS} values over all variants")
    if tolerance.kind == "rel" and 0 in keys:
        fields.fault("tolerance", "is a share of the key, but the key is 0 in a variant; give {abs: number}")
    _check_filled(fields, "stem", fields.text("stem"), grid, decimals)
    right = _explanation(fields, grounds, grid, decimals)
    otherwise_fields = fields.fields("otherwise")
    otherwise = _explanation(otherwise_fields, grounds, grid, decimals) if otherwise_fields else None
    if otherwise_fields:
        otherwise_fields.refuse_unknown()
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
    explanation = _explanation(fields, grounds, grid, decimals)
    fields.refuse_unknown()
    values = _values(fields, "value", value, grid)
    for parameters, key, wrong in zip(grid, keys, values, strict=False):
        if abs(wrong - key) <= 2 * tolerance.around(key) + 1e-12:
            fields.fault(
                "value", f"is {wrong:g} for {_spelt(parameters)}, within twice the tolerance of the key {key:g}"
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
                if abs(one - other) <= 2 * tolerance.around(max(one, other, key=abs)) + 1e-12:
                    entry.fault("value", f"is that of another wrong value for {_spelt(parameters)}: {other:g}")
                    break


def _spelt(parameters: Mapping[str, Number]) -> str:
    return ", ".join(f"{name}={number}" for name, number in parameters.items())


def _parse_parameters(fields: Fields) -> tuple[tuple[str, tuple[Number, ...]], ...]:
    inner = fields.fields("parameters")
    if inner is None:
        return ()
    parameters = []
    size = 1
    for name in inner.mapping:
        numbers = inner.numbers(name)
        if inner.mapping[name] == []:
            inner.fault(name, "must not be empty")
        if not name.isidentifier():
            inner.fault(name, "is not a name that an expression can use")
        parameters.append((name, numbers))
        size *= max(1, len(numbers))
    if size > MOST_VARIANTS:
        fields.fault("parameters", f"give {size} variants; at most {MOST_VARIANTS} are checked at every start")
        return ()
    return tuple(parameters)


def _parse_tolerance(fields: Fields) -> Tolerance:
    if not isinstance(fields.mapping.get("tolerance"), YamlMapping):
        if fields.text("tolerance") not in ("", "exact"):
            fields.fault("tolerance", "must be `exact`, {abs: number} or {rel: number}")
        return Tolerance("exact", 0.0)
    inner = fields.fields("tolerance")
    assert inner is not None
    kind = "rel" if "rel" in inner.mapping else "abs"
    size = inner.number(kind)
    inner.refuse_unknown()
    if size is not None and size <= 0:
        inner.fault(kind, "must be more than 0; say `exact` where nothing else counts")
    return Tolerance(kind, size or 0.0)


def _explanation(
    fields: Fields, grounds: Grounds, grid: tuple[Mapping[str, Number], ...], decimals: int
) -> Explanation:
    explanation = prose.explanation(fields, grounds, lambda text: _filled_or_plain(text, grid[0], decimals))
    _check_filled(fields, "why", explanation.why, grid, decimals)
    return explanation


def _filled_or_plain(text: str, parameters: Mapping[str, Number], decimals: int) -> str:
    try:
        return placeholders.fill(text, parameters, decimals)
    except ExpressionError:  # reported with the variant it fails for, by _check_filled
        return ""


def _check_filled(fields: Fields, name: str, text: str, grid: tuple[Mapping[str, Number], ...], decimals: int) -> None:
    try:
        for parameters in grid:
            placeholders.fill(text, parameters, decimals)
    except ExpressionError as error:
        fields.fault(name, str(error))


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
