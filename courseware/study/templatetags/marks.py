"""How a mark is written on a page."""

from decimal import Decimal

from django import template

from quizzes.marking import shown

register = template.Library()


@register.filter
def mark(value: Decimal | None) -> str:
    """Return 4.5000 as "4.5", 0.6667 as "0.67", and a mark that does not exist as a dash."""
    return "–" if value is None else shown(value)
