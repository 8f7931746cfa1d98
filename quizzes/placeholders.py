"""Numbers inside a text: `[[expression]]`, or `[[expression|3]]` for exactly three decimals. Pure."""

import re
from collections.abc import Iterable, Mapping

from quizzes.expressions import ExpressionError, Number, parse_expression
from quizzes.numbers import spell

_DOLLARS = re.compile(r"\$\$|\$")
_PLACEHOLDER = re.compile(r"\[\[([^\[\]|]+)(?:\|([0-9]))?\]\]")


def fill(text: str, values: Mapping[str, Number], decimals: int) -> str:
    """Return the text with each placeholder replaced by its value.

    Errors:  ExpressionError if one of them cannot be evaluated for these values
    """

    def replaced(match: re.Match[str]) -> str:
        value = parse_expression(match[1].strip()).number(values)
        before = text[: match.start()]
        # TeX and code need the keyboard's hyphen; prose has the true minus sign.
        is_set_apart = len(_DOLLARS.findall(before)) % 2 == 1 or before.count("`") % 2 == 1
        return spell(
            value,
            int(match[2]) if match[2] else decimals,
            fixed=match[2] is not None,
            minus="-" if is_set_apart else "−",
        )

    filled = _PLACEHOLDER.sub(replaced, text)
    _refuse_loose(filled)
    return filled


def check(text: str, variants: Iterable[Mapping[str, Number]]) -> None:
    """Raise ExpressionError where `fill` would for one of these variants, without spelling any number."""
    expressions = [parse_expression(match[1].strip()) for match in _PLACEHOLDER.finditer(text)]
    _refuse_loose(_PLACEHOLDER.sub("0", text))
    if expressions:
        for values in variants:
            for expression in expressions:
                expression.number(values)


def _refuse_loose(text: str) -> None:
    if "[[" in text:
        raise ExpressionError("holds a “[[” that does not begin a placeholder such as [[a + b]] or [[a + b|3]]")
