"""Watches a browser while somebody uses the site: for what no page may do, whatever else it does."""

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Request, WebError

# Chromium reports a broken policy in the console too, but not for every directive; the event names each.
_REPORT_POLICY = """
addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} refuses ${event.blockedURI || event.sample}`));
"""
PATIENCE_MS = 60_000  # a loaded machine is no defect


class Watch:
    """Keeps every complaint of a context's pages: console, broken scripts, requests elsewhere, the strict policy."""

    def __init__(self, context: BrowserContext, site_url: str) -> None:
        self.complaints: list[str] = []
        self._site_url = site_url
        self._expected: list[str] = []
        context.add_init_script(_REPORT_POLICY)
        context.on("console", self._console)
        context.on("weberror", self._broken)
        context.on("request", self._request)

    def expect(self, words: str) -> None:
        """Take a complaint with these words for what it is: the browser's own line about a page that is refused."""
        self._expected.append(words)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._complain(f"{message.location['url']}: {message.type}: {message.text}")

    def _broken(self, error: WebError) -> None:
        self._complain(f"{error.page.url if error.page else 'a page'}: {error.error}")

    def _request(self, request: Request) -> None:
        if not request.url.startswith((f"{self._site_url}/", "data:")):
            self._complain(f"asked {request.url}")

    def _complain(self, complaint: str) -> None:
        if not any(words in complaint for words in self._expected):
            self.complaints.append(complaint)


def open_context(browser: Browser, site_url: str, **options: object) -> tuple[BrowserContext, Watch]:
    """Return a browser without a past, and the watch over it."""
    context = browser.new_context(base_url=site_url, **options)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    return context, Watch(context, site_url)
