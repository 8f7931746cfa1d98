"""Families of variants: a finite grid of parameters, and the texts that hold for every point of it.

Every variant is looked at when the course is loaded, so that none can surprise a learner. Pure.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from courseware.concepts.sources import Fields, YamlMapping
from quizzes import placeholders, prose
from quizzes.expressions import ExpressionError, Number, parse_expression
from quizzes.questions import Explanation, Grounds
from quizzes.variants import combinations

FEWEST_VARIANTS = 4  # fewer would let neighbours share an answer

Parameters = tuple[tuple[str, tuple[Number, ...]], ...]
Values = Mapping[str, Number]


@dataclass(frozen=True)
class Tolerance:
    """How far from a value a number may lie: a distance ("abs"), a share of the value ("rel"), or not at all."""

    kind: str  # "abs", "rel" or "exact"
    size: float

    def around(self, value: float) -> float:
        return self.size * abs(value) if self.kind == "rel" else self.size

    def is_near(self, value: float, target: float) -> bool:
        """Tell whether a value counts as the target. Infinities count as themselves, and NaN as nothing."""
        if not math.isfinite(target):
            return value == target
        tolerance = self.around(target)
        # The bound itself counts, and 0.5 + 0.002 is not exactly 0.502 in binary.
        slack = 1e-9 * max(abs(target), tolerance) + 1e-12
        return abs(value - target) <= tolerance + slack

    def could_meet(self, value: float, target: float) -> bool:
        """Tell whether one answer could be near to both, so that an author must keep them further apart."""
        if not (math.isfinite(value) and math.isfinite(target)):
            return value == target
        return abs(value - target) <= 2 * self.around(max(value, target, key=abs)) + 1e-12


@lru_cache(maxsize=1024)
def grid(parameters: Parameters, where: str) -> tuple[Values, ...]:
    """Return every variant of a family in the order that decides which seed gives which.

    Errors:  ExpressionError if the constraint cannot be evaluated
    """
    return combinations(dict(parameters), parse_expression(where) if where else None)


def parse_parameters(fields: Fields, *, most: int) -> tuple[Parameters, str] | None:
    """Return the parameters and the constraint of a family of at most so many variants, or None after its faults."""
    parameters, where = _parameters(fields, most), fields.text("where", required=False)
    try:
        count = len(grid(parameters, where))
    except ExpressionError as error:
        fields.fault("where", str(error))
        return None
    if count < FEWEST_VARIANTS:
        fields.fault("parameters", f"give {count} variants; at least {FEWEST_VARIANTS} are needed")
        return None
    return parameters, where


def parse_tolerance(fields: Fields, *, relative: bool = True) -> Tolerance:
    """Return the tolerance of a bank's entry; `relative` says whether it may be a share of the key."""
    if not isinstance(fields.mapping.get("tolerance"), YamlMapping):
        if fields.text("tolerance") not in ("", "exact"):
            fields.fault("tolerance", f"must be `exact`, {{abs: number}}{' or {rel: number}' if relative else ''}")
        return Tolerance("exact", 0.0)
    inner = fields.fields("tolerance")
    assert inner is not None
    kind = "rel" if relative and "rel" in inner.mapping else "abs"
    size = inner.number(kind)
    inner.refuse_unknown()
    if size is not None and size <= 0:
        inner.fault(kind, "must be more than 0; say `exact` where nothing else counts")
    return Tolerance(kind, size or 0.0)


def parse_explanation(fields: Fields, grounds: Grounds, variants: Sequence[Values], decimals: int) -> Explanation:
    """Return an explanation whose placeholders have a value in every variant, faults reported."""
    explanation = prose.explanation(fields, grounds, lambda text: _filled_or_plain(text, variants[0], decimals))
    check_filled(fields, "why", explanation.why, variants)
    return explanation


def parse_otherwise(fields: Fields, grounds: Grounds, variants: Sequence[Values], decimals: int) -> Explanation | None:
    """Return what is said of an answer that nothing known leads to, or None after reporting that it is missing."""
    inner = fields.fields("otherwise")
    if inner is None:
        return None
    explanation = parse_explanation(inner, grounds, variants, decimals)
    inner.refuse_unknown()
    return explanation


def check_filled(fields: Fields, name: str, text: str, variants: Sequence[Values]) -> None:
    """Report a text that a placeholder without a value makes unreadable in some variant."""
    try:
        placeholders.check(text, variants)
    except ExpressionError as error:
        fields.fault(name, str(error))


def spelt(values: Values) -> str:
    """Return the numbers of a variant, for a fault that holds in it."""
    return ", ".join(f"{name}={number}" for name, number in values.items())


def _filled_or_plain(text: str, values: Values, decimals: int) -> str:
    try:
        return placeholders.fill(text, values, decimals)
    except ExpressionError:  # reported by check_filled
        return ""


def _parameters(fields: Fields, most: int) -> Parameters:
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
    if size > most:
        fields.fault("parameters", f"give {size} variants; at most {most} are checked at every start")
        return ()
    return tuple(parameters)
