"""The embedded broker's folder: a message is there whole or not at all, and it is one reader's."""

import errno
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from kombu import Connection
from kombu.exceptions import ChannelError

from grader.transport import celery_options


@contextmanager
def _channel(folder: Path):
    options = celery_options("filesystem://", folder, side="site")
    with Connection(
        options["broker_url"],
        transport=options["broker_transport"],
        transport_options=options["broker_transport_options"],
    ) as connection:
        yield connection.default_channel


def test_a_reader_that_never_rests_meets_no_message_that_is_not_whole_yet(tmp_path):
    """It did: a message had its name before its text, and whoever took it then had nothing to judge."""
    long, taken = "x" * 200_000, []
    with _channel(tmp_path) as writing, _channel(tmp_path) as reading:

        def read() -> None:
            while len(taken) < 100:
                if reading._size("judges"):
                    taken.append(reading._get("judges"))

        reader = threading.Thread(target=read, daemon=True)
        reader.start()
        for number in range(100):
            writing._put("judges", {"number": number, "text": long})
        reader.join(timeout=20)

    assert sorted(message["number"] for message in taken) == list(range(100))
    assert {message["text"] for message in taken} == {long}
    assert not list((tmp_path / "broker" / "queue").iterdir())


def test_a_message_that_finds_no_room_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "no room")

    with _channel(tmp_path) as channel:
        monkeypatch.setattr(Path, "rename", full)
        with pytest.raises(ChannelError):
            channel._put("judges", {})

    assert not list((tmp_path / "broker" / "queue").iterdir())
