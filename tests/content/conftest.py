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
    return words_of(MODULE / "misconceptions.yaml")
