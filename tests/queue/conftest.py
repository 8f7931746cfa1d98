"""The two brokers, each with a database that goes with it and a site that all tests share."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import servers
from tests.queue.running import Site, site
from tests.sandbox.guests import need_sandbox
from tests.small_disks import SmallDisk, can_mount, small_disk


class Redis:
    """A Redis that can be taken away and comes back, empty, at the same address."""

    def __init__(self) -> None:
        self._up = servers.redis()
        self.url = self._up.__enter__()

    @contextlib.contextmanager
    def away(self) -> Iterator[None]:
        """Keep it away in the block; whatever happens there, the next test finds it back."""
        self.stop()
        try:
            yield
        finally:
            self._up = servers.redis(port=urlsplit(self.url).port)
            self._up.__enter__()

    def stop(self) -> None:
        self._up.__exit__(None, None, None)


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    try:
        running = Redis()
    except servers.ServerMissing as missing:
        pytest.skip(str(missing))
    yield running
    running.stop()


@pytest.fixture(scope="session", params=["files", "servers"])
def running(request, tmp_path_factory) -> Iterator[Site]:
    """A site with all its programs up: on SQLite and files, and on PostgreSQL and Redis."""
    need_sandbox()
    folder = tmp_path_factory.mktemp("queue") / "var"
    folder.mkdir()
    disks: list[SmallDisk] = []
    with contextlib.ExitStack() as stack:

        @contextlib.contextmanager
        def disk(place: Path, owner: str = "") -> Iterator[SmallDisk]:
            with small_disk(place, megabytes=96, owner=owner) as mounted:
                disks.append(mounted)
                yield mounted

        database_url, broker_url = "", "filesystem://localhost/"
        if request.param == "servers":
            broker_url = request.getfixturevalue("redis").url
            try:
                database_url = stack.enter_context(servers.postgresql(disk if can_mount() else None))
            except servers.ServerMissing as missing:
                pytest.skip(str(missing))
        elif can_mount():
            place = folder / "database"
            place.mkdir()
            (folder / "courseware.sqlite3").symlink_to(place / "courseware.sqlite3")
            stack.enter_context(disk(place))
        yield stack.enter_context(
            site(folder, database_url=database_url, broker_url=broker_url, disk=disks[0] if disks else None)
        )


@pytest.fixture(autouse=True)
def _everybody_is_there(running) -> Iterator[None]:
    """After a test that failed half way, start again whoever it had killed or left standing still."""
    yield
    running.make_whole()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show what the programs said where a test of theirs failed."""
    report = yield
    running = getattr(item, "funcargs", {}).get("running")
    if report.failed and isinstance(running, Site):
        report.sections.append(("what the programs said", running.logs()))
    return report
