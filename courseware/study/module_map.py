"""The concepts of a module as a drawing: what builds on what, and where its reader stands."""

import textwrap

from django.urls import reverse

from courseware.concepts.modules import Concept, Module
from courseware.drawing.diagram import Arrow, Box, diagram
from courseware.drawing.safe_html import SafeHtml
from courseware.study.overview import Overview, Standing

LINE_CHARACTERS = 16  # four columns of titles this wide fit a desktop page, and a phone scrolls


def module_map(overview: Overview) -> SafeHtml:
    """Return the map of the reader's module, each written concept a link, strong where the self-check was right."""
    boxes = [_box(row.concept, row.standing, overview.module) for row in overview.rows]
    arrows = [Arrow(need, row.concept.id) for row in overview.rows for need in _nearest(row.concept, overview.module)]
    return diagram(
        boxes,
        arrows,
        key="map",
        title="The concepts and what they build on",
        finding="An arrow leads from each concept to those that build on it, from the top to the bottom.",
    )


def _box(concept: Concept, standing: Standing | None, module: Module) -> Box:
    lines = textwrap.wrap(f"{concept.number} {concept.title}", LINE_CHARACTERS, break_long_words=False)
    numbers = {each.id: each.number for each in module.concepts}
    builds = " and ".join(str(numbers[need]) for need in concept.needs)
    said = [f"{concept.number}, {concept.title}"]
    said += [f"builds on {builds}"] if builds else []
    said += [standing.words.lower()] if standing else []
    return Box(
        id=concept.id,
        text="\n".join(lines),
        column=concept.place[0],
        row=concept.place[1],
        look="data" if concept.card is None else "strong" if standing and standing.shape == "right" else "plain",
        url=reverse("card", args=[concept.id]) if concept.card else "",
        name=", ".join(said),
    )


def _nearest(concept: Concept, module: Module) -> list[str]:
    """Return the needs that no other need builds on: an arrow that only repeats two others is left out."""
    needs = {each.id: each.needs for each in module.concepts}

    def all_before(concept_id: str) -> set[str]:
        return set(needs[concept_id]).union(*(all_before(each) for each in needs[concept_id]))

    implied = set[str]().union(*(all_before(need) for need in concept.needs))
    return [need for need in concept.needs if need not in implied]
