"""The concepts of a module as a list: each is rendered once in a process for each way in which a learner can stand."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from courseware.study.overview import ConceptRow, Standing

register = template.Library()


@register.simple_tag
def concept_rows(rows: Iterable[ConceptRow], content: str) -> SafeString:
    """Return an item for each concept; `content` is the digest of all that the course says."""
    parts = (_rendered(_Kept(content, row.concept.id, row.standing, row)) for row in rows)
    return mark_safe("".join(parts))  # noqa: S308  (each is a template's)


@dataclass(frozen=True)
class _Kept:
    content: str
    concept_id: str
    standing: Standing | None
    row: ConceptRow = field(compare=False)


@lru_cache(maxsize=1000)  # 19 concepts, and for each a few states
def _rendered(kept: _Kept) -> SafeString:
    return render_to_string("study/_concept.html", {"row": kept.row})
