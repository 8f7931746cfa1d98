"""The notes name places that exist."""

import re

from tests.content.reading import MODULE, course


def test_the_record_of_the_starting_texts_names_sections_of_cards():
    text = (MODULE / "notes/seeds-covered.md").read_text(encoding="utf-8")
    places = re.findall(r"\| ([a-z0-9-]+)#([a-z0-9-]+) \|", text)
    known = {(concept.id, section.id) for concept in course().module.concepts for section in concept.card.sections}

    assert len(places) > 40
    assert set(places) <= known
