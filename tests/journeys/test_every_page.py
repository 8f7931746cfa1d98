"""What holds on every page, whoever sees it: nothing for axe to find, nothing sideways, nothing in the console."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.journeys.cast import make_cast
from tests.journeys.places import PLACES, Place
from tests.journeys.running import RunningSite
from tests.journeys.visits import HEIGHT, NARROW, WIDE, Visits

# What another width or theme can change: of one document, axe finds the rest again.
DECIDED_BY_LAYOUT = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")

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
        found = [*_seen(page, WIDE, "light"), *_seen(page, NARROW, "dark", rules=DECIDED_BY_LAYOUT)]

    assert found == []


def _seen(page: Page, width: int, theme: str, *, rules: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield what is wrong at one width in one theme, as far as these rules of axe tell, or all of them."""
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    page.set_viewport_size({"width": width, "height": HEIGHT})
    scroll_width = page.evaluate("document.documentElement.scrollWidth")
    if scroll_width > width:
        yield f"{width} px: the page is {scroll_width} px wide"
    # The dock at the foot of a phone covers whatever happens to be scrolled under it; that is no fault of the target.
    page.set_viewport_size({"width": width, "height": max(HEIGHT, page.evaluate("document.body.scrollHeight"))})
    options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
    for violation in Axe().run(page, options=options).response["violations"]:
        for node in violation["nodes"]:
            yield f"{width} px, {theme}: {violation['id']}: {node['html']}: {node['failureSummary']}"
