"""Looks at a page for what a test can see: what axe finds, and anything that makes a page wider than its window."""

from collections.abc import Iterator

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.journeys.visits import HEIGHT, NARROW, WIDE

# What another width or theme can change: of one document, axe finds the rest again.
_DECIDED_BY_LAYOUT = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")


def faults_of(page: Page) -> list[str]:
    """Return what is wrong with a page, wide and in light colours, then narrow and in dark ones."""
    return [*_seen(page, WIDE, "light"), *_seen(page, NARROW, "dark", rules=_DECIDED_BY_LAYOUT)]


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
