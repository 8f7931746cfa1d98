"""The one browser of a test run: Debian's Chromium, driven by Playwright."""

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# Tests run as root in a container, where Chromium's own sandbox cannot; the rest keeps it from asking elsewhere.
ARGUMENTS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"),
    *("--disable-background-networking", "--disable-component-update", "--no-first-run"),
)


class BrowserMissing(Exception):
    """Chromium is not installed; a test that needs it is skipped with this message."""


@contextlib.contextmanager
def chromium() -> "Iterator[Browser]":
    """Yield a browser. Only one block of this kind may be open: Playwright keeps an event loop in the thread.

    Errors:  BrowserMissing if it is not installed
    """
    program = shutil.which("chromium")
    if program is None:
        raise BrowserMissing("chromium is not installed")
    from playwright.sync_api import sync_playwright  # 0.2 s that only those who need a browser should wait

    with sync_playwright() as driver, _queries_beside_a_loop():
        browser = driver.chromium.launch(executable_path=program, args=list(ARGUMENTS))
        try:
            yield browser
        finally:
            browser.close()


@contextlib.contextmanager
def _queries_beside_a_loop() -> Iterator[None]:
    """Let Django query its database while Playwright's loop sleeps in the same thread: never do both at once."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    try:
        yield
    finally:
        if before is None:
            del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]
        else:
            os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = before
