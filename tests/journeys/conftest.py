"""Running sites and browsers. Both are slow to start, so every journey shares them and brings its own people."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from courseware.accounts.models import User
from tests import servers
from tests.journeys.running import RunningSite, running_site
from tests.journeys.watching import PATIENCE_MS, Watch, open_context
from tests.sandbox.guests import need_sandbox

expect.set_options(timeout=PATIENCE_MS)

SHORT = os.environ["COURSE_PATH"]  # of the tests: whoever sits a test in a browser sits nine questions
OpenPage = Callable[..., Page]
PageOf = Callable[..., Page]


@pytest.fixture(autouse=True)
def _sandbox(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("sandbox"):
        need_sandbox()


@pytest.fixture(scope="session")
def embedded_var(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("embedded")


@pytest.fixture(scope="session")
def embedded_site(embedded_var: Path) -> Iterator[RunningSite]:
    """What somebody gets who sets nothing: SQLite, and a broker of files."""
    with running_site(embedded_var, COURSE_PATH=SHORT) as site:
        yield site


@pytest.fixture(scope="session")
def site_on_servers(
    embedded_site: RunningSite, embedded_var: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningSite]:
    """The same site on PostgreSQL and Redis."""
    with ExitStack() as stack:
        try:
            database = stack.enter_context(servers.postgresql())
            broker = stack.enter_context(servers.redis())
        except servers.ServerMissing as missing:
            pytest.skip(str(missing))
        settings = {"DATABASE_URL": database, "BROKER_URL": broker, "COURSE_PATH": SHORT}
        static = embedded_var / "static"
        yield stack.enter_context(running_site(tmp_path_factory.mktemp("servers"), static=static, **settings))


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[OpenPage]:
    """Return a function that opens a page in a browser of its own; at the end nothing may have complained."""
    watches: list[Watch] = []
    with ExitStack() as stack:

        def open_one(site: RunningSite, *, expecting: tuple[str, ...] = (), **options: object) -> Page:
            context, watch = open_context(chromium, site.url, **options)
            stack.callback(context.close)
            watches.append(watch)
            for words in expecting:
                watch.expect(words)
            return context.new_page()

        yield open_one
    assert [complaint for watch in watches for complaint in watch.complaints] == []


@pytest.fixture
def page_of(live_server, open_page: OpenPage) -> PageOf:
    """Return a function that opens a page on which somebody is signed in, on a site inside this process."""

    def open_one(user: User, **options: object) -> Page:
        client = Client()
        client.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
        page = open_page(live_server, **options)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
        page.context.add_cookies([cookie])
        return page

    return open_one
