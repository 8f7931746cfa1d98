"""Marks: a pure function of the question as it was asked, its variant and the answer.

Fractions are exact until a mark is stored, so that seven sevenths are a whole. Knows no database and no clock.
"""

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from quizzes.questions import Answer, Commentary, Marked, Posed, Question, Variant
from quizzes.registry import kind_of

STORED_PLACES = Decimal("0.0001")
SHOWN_PLACES = Decimal("0.01")


def mark(question: Question, variant: Variant, answer: Answer | None) -> Marked:
    """Return what an answer is worth, as a fraction of the question's marks, and what it shows."""
    return kind_of(question.kind).mark(Posed(question.task, variant), answer)


def comment(question: Question, variant: Variant, answer: Answer | None) -> Commentary:
    """Return the judgement and every explanation, with the variant's numbers, the learner's own first."""
    return kind_of(question.kind).comment(Posed(question.task, variant), answer)


def earned(parts: Iterable[tuple[Fraction, Decimal]]) -> Decimal:
    """Return the marks that fractions of marks add up to, rounded half up once, at the end, to four places."""
    exact = sum((fraction * Fraction(marks) for fraction, marks in parts), Fraction(0))
    # 28 digits of the quotient are far more than the four that are kept, so the tie is decided rightly.
    return (Decimal(exact.numerator) / Decimal(exact.denominator)).quantize(STORED_PLACES, rounding=ROUND_HALF_UP)


def shown(marks: Decimal) -> str:
    """Return marks as every page and export shows them: at most two places, rounded half up, no trailing zeros."""
    text = f"{marks.quantize(SHOWN_PLACES, rounding=ROUND_HALF_UP):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
