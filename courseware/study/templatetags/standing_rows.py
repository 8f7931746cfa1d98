"""The rows of a module's lists: each is rendered once in a process for each way in which somebody can stand in it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from courseware.study.overview import ConceptRow, ExerciseRow, Standing

register = template.Library()


@register.simple_tag
def standing_rows(template_name: str, rows: Iterable[ConceptRow | ExerciseRow], content: str) -> SafeString:
    """Return the template's item for each row; `content` is the digest of all that the course says."""
    parts = (_rendered(_Kept(template_name, content, row.id, row.standing, row)) for row in rows)
    return mark_safe("".join(parts))  # noqa: S308  (each is a template's)


@dataclass(frozen=True)
class _Kept:
    template_name: str
    content: str
    row_id: str
    standing: Standing | None
    row: ConceptRow | ExerciseRow = field(compare=False)


@lru_cache(maxsize=2000)  # 19 concepts and as many exercises, twice, and for each a few states
def _rendered(kept: _Kept) -> SafeString:
    return render_to_string(kept.template_name, {"row": kept.row})
