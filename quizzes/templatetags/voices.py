"""The same commentary for two readers: the learner who answered, and staff who read what somebody else answered."""

from django import template

register = template.Library()


@register.filter
def said_of(label: str, is_staff: bool | str) -> str:
    """Return a label such as "Your pick" as its reader must hear it: "Their pick" for staff."""
    return label.replace("Your ", "Their ") if is_staff else label
