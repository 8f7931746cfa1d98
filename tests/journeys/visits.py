"""Takes a browser to every page of the site, as the person who sees it."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, BrowserContext, Page

from tests.journeys import steps
from tests.journeys.cast import Cast
from tests.journeys.places import Place
from tests.journeys.watching import Watch, open_context

WIDE, NARROW = 1280, 390  # the two widths at which the design is judged
HEIGHT = 900
A4 = 680  # the width of a printed page between margins of 15 mm


class Visits:
    """Opens places; each person signs in once and keeps their browser."""

    def __init__(self, browser: Browser, cast: Cast) -> None:
        self._browser = browser
        self._cast = cast
        self._opened: dict[str, tuple[BrowserContext, Watch]] = {}

    @contextmanager
    def at(self, place: Place) -> Iterator[Page]:
        """Yield the page of a place; when the block ends, nothing may have complained.

        Errors:  AssertionError with the complaints
        """
        context, watch = self._context_of(place.who)
        if place.status != 200:
            watch.expect(f"status of {place.status}")
        watch.complaints.clear()
        page = context.new_page()
        page.set_viewport_size({"width": WIDE, "height": HEIGHT})
        try:
            place.arrive(page, self._cast)
            yield page
        finally:
            page.close()
        assert watch.complaints == [], watch.complaints

    def close(self) -> None:
        for context, _ in self._opened.values():
            context.close()

    def _context_of(self, who: str) -> tuple[BrowserContext, Watch]:
        if who not in self._opened:
            self._opened[who] = open_context(self._browser, self._cast.site.url)
            if who:
                page = self._opened[who][0].new_page()
                steps.sign_in(page, getattr(self._cast, who))
                page.close()
        return self._opened[who]
