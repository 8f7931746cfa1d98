"""Filters that write numbers and instants as `grader.words` does."""

from datetime import datetime
from decimal import Decimal

from django import template

from grader import words
from grader.models import Submission
from grader.signs import Sign, sign_of

register = template.Library()


@register.filter
def clock(instant: datetime) -> str:
    return words.clock(instant)


@register.filter
def clock_seconds(instant: datetime) -> str:
    return words.clock_seconds(instant)


@register.filter
def marks(number: Decimal) -> str:
    return words.marks(number)


@register.filter
def short(number: float) -> str:
    """Return a number with three significant digits."""
    return f"{number:.3g}"


@register.filter
def library(name: str) -> str:
    return words.LIBRARIES.get(name, name)


@register.filter
def sign(submission: Submission) -> Sign:
    return sign_of(submission)
