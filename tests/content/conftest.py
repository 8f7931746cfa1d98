"""The texts of the concept that a file of tests names as its CONCEPT, each as one line."""

import pytest

from tests.content.reading import MODULE, words_of


@pytest.fixture(scope="module")
def card(request: pytest.FixtureRequest) -> str:
    return words_of(request.module.CONCEPT / "card.md")


@pytest.fixture(scope="module")
def bank(request: pytest.FixtureRequest) -> str:
    return words_of(request.module.CONCEPT / "bank.yaml")


@pytest.fixture(scope="module")
def misconceptions() -> str:
    """The texts of all concepts: a question may name the belief of another."""
    return " ".join(words_of(file) for file in sorted(MODULE.rglob("misconceptions.yaml")))
