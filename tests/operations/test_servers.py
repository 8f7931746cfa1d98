"""The servers that other tests stand on."""

import contextlib
import socket
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis as redis_client

from tests import servers

pytestmark = pytest.mark.slow


@contextlib.contextmanager
def _or_skipped(server: Callable[[], AbstractContextManager[str]]):
    try:
        running = server()
        url = running.__enter__()
    except servers.ServerMissing as missing:
        pytest.skip(str(missing))
    try:
        yield url
    finally:
        running.__exit__(None, None, None)


def _is_listening(url: str) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", urlsplit(url).port)) == 0


def test_postgresql_starts_empty_and_ends_with_the_block():
    with _or_skipped(servers.postgresql) as url:
        with psycopg.connect(url) as connection:
            tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()

        assert tables == (0,)

    assert not _is_listening(url)


def test_postgresql_ends_although_somebody_is_still_connected():
    with _or_skipped(servers.postgresql) as url:
        connection = psycopg.connect(url)

    assert not _is_listening(url)
    connection.close()


def test_redis_starts_empty_and_ends_with_the_block():
    with _or_skipped(servers.redis) as url:
        with redis_client.Redis.from_url(url) as client:
            size = client.dbsize()

        assert size == 0

    assert not _is_listening(url)


def test_redis_obeys_the_access_list_it_is_given(tmp_path: Path):
    access = tmp_path / "users.acl"
    access.write_text("user default off\nuser judge on >word ~judge* +@all\n")

    with _or_skipped(lambda: servers.redis(access)) as url:
        port = urlsplit(url).port
        with redis_client.Redis(port=port, username="judge", password="word") as client:
            client.set("judge.key", 1)

            with pytest.raises(redis_client.exceptions.NoPermissionError):
                client.get("recorder")
