"""The glossary and the notation of the module cover its concepts, and do not fill its cards with links."""

import pytest

from tests.content.reading import course

MODULE = course().module
MOST_LINKS = 12  # a line has about twelve words, and a card some 150 lines: rarely two links in sight at once


def test_every_concept_explains_some_term_of_the_glossary():
    assert {term.see.concept_id for term in MODULE.reference.terms} == {each.id for each in MODULE.concepts}


@pytest.mark.parametrize("concept", MODULE.concepts, ids=lambda each: each.id)
def test_a_card_has_some_links_to_the_glossary_and_not_too_many(concept):
    links = sum(section.html.count('<a class="term"') for section in concept.card.sections)

    assert 1 <= links <= MOST_LINKS


def test_the_notation_covers_the_letters_of_the_conventions():
    symbols = " ".join(symbol.symbol for symbol in MODULE.reference.symbols)

    for letter in ("n", "m", "d", "h", "L", "X", "Q", "K", "V", "E", "M", "G"):
        assert f"<mi>{letter}</mi>" in symbols, letter
