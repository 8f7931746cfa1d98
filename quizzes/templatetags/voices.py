"""The same commentary for two readers: the learner who answered, and staff who read what somebody else answered."""

from django import template

register = template.Library()


@register.filter
def theirs(label: str) -> str:
    """Return a label such as "Your pick" or "Line 3, your pick" as staff must hear it: "Their pick"."""
    return label.replace("Your ", "Their ").replace("your ", "their ")
