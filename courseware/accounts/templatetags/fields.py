"""How a form's field is written into a page."""

from django import template
from django.forms import BoundField
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def bare(field: BoundField) -> SafeString:
    """Return the field's control without a placeholder: allauth's would repeat the label, in other words than ours."""
    return field.as_widget(attrs={"placeholder": False})
