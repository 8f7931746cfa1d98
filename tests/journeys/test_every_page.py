"""What holds on every page, whoever sees it: nothing for axe to find, nothing sideways, nothing in the console."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.journeys.cast import make_cast
from tests.journeys.places import PLACES, Place
from tests.journeys.running import RunningSite
from tests.journeys.seeing import faults_of
from tests.journeys.visits import Visits

# The first test of a run also waits for the sites to start.
pytestmark = [pytest.mark.journey, pytest.mark.sandbox, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def visits(chromium: Browser, embedded_site: RunningSite) -> Iterator[Visits]:
    visits = Visits(chromium, make_cast(chromium, embedded_site))
    yield visits
    visits.close()


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_page_is_accessible_fits_and_keeps_quiet(visits: Visits, place: Place) -> None:
    with visits.at(place) as page:
        assert faults_of(page) == []
