"""Every fact of a concept stands in its card in the words that the front matter names, with each of its numbers.

The numbers come from what the course must teach (`facts/`, a file for each concept), not from the card.
"""

from pathlib import Path

import pytest
import yaml

from tests.content.reading import MODULE

NUMBERS = Path(__file__).with_name("facts")
CARDS = {card.parent.name[3:]: card for card in sorted(MODULE.glob("concepts/*/card.md"))}


def carried(concept_id: str) -> dict[str, str]:
    """Return each fact of a card with its words; the loader has found these where they are said to stand."""
    facts = yaml.safe_load(CARDS[concept_id].read_text(encoding="utf-8").split("---\n")[1])["facts"]
    several = {fact: value if isinstance(value, list) else [value] for fact, value in facts.items()}
    return {fact: " ".join(carrier["says"] for carrier in carriers) for fact, carriers in several.items()}


def test_every_card_has_a_file_of_what_its_facts_must_hold():
    assert {file.stem for file in NUMBERS.glob("*.yaml")} == set(CARDS)


@pytest.mark.parametrize("concept_id", CARDS)
def test_each_fact_is_in_the_card_with_its_numbers(concept_id):
    wanted = yaml.safe_load((NUMBERS / f"{concept_id}.yaml").read_text(encoding="utf-8"))
    words = carried(concept_id)

    assert list(words) == list(wanted)
    missing = {fact: [number for number in numbers if number not in words[fact]] for fact, numbers in wanted.items()}
    assert not {fact: numbers for fact, numbers in missing.items() if numbers}
