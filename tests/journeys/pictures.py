"""Photographs every page of a fresh site, wide and narrow, light and dark, and as printed: `./run pictures`."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser import chromium
from tests.journeys.cast import make_cast
from tests.journeys.places import PLACES
from tests.journeys.running import ROOT, running_site
from tests.journeys.visits import A4, HEIGHT, NARROW, WIDE, Visits
from tests.journeys.watching import PATIENCE_MS

FOLDER = ROOT / "screenshots"


def photograph(page: Page, name: str) -> None:
    """Write the pictures of a page into ./screenshots; what is fixed to the window shows at its first place."""
    for width in (WIDE, NARROW):
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.set_viewport_size({"width": width, "height": HEIGHT})
            page.screenshot(path=FOLDER / f"{name}-{width}-{theme}.png", full_page=True)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": A4, "height": HEIGHT})
    page.screenshot(path=FOLDER / f"{name}-print.png", full_page=True)
    page.emulate_media(media="screen")


def main(wanted: list[str]) -> None:
    """Photograph the pages whose names begin with one of these, or all."""
    expect.set_options(timeout=PATIENCE_MS)
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as var_path, running_site(Path(var_path)) as site, chromium() as browser:
        visits = Visits(browser, make_cast(browser, site))
        for place in PLACES:
            if not wanted or place.name.startswith(tuple(wanted)):
                with visits.at(place) as page:
                    photograph(page, place.name)
                print(place.name, flush=True)
        visits.close()


if __name__ == "__main__":
    main(sys.argv[1:])
