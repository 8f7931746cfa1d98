"""The pipes between judge and guest, without a guest."""

import os
import time
import tracemalloc
from collections.abc import Iterator

import pytest

from grader.sandbox.channel import Channel


@pytest.fixture
def pipes() -> Iterator[tuple[Channel, int, int]]:
    """Yield a channel and the guest's ends for replies and for what it prints."""
    (asked, requests), (replies, replying), (printed, printing) = os.pipe(), os.pipe(), os.pipe()
    channel = Channel(requests=requests, replies=replies, printed=printed, kept_bytes=1 << 16, flood_bytes=1 << 20)
    yield channel, replying, printing
    channel.close()
    for fd in (asked, replying, printing):
        os.close(fd)


def test_short_reply_takes_no_room_for_a_long_one(pipes: tuple[Channel, int, int]) -> None:
    """Room for a whole chunk at each reading, given back but for a few bytes, left a judge's memory full of holes."""
    channel, replying, printing = pipes
    tracemalloc.start()
    try:
        for number in range(10):
            channel.ask(b"", deadline=time.monotonic() + 10)
            os.write(printing, b"word\n")
            os.write(replying, bytes([number]) * 300)
            assert channel.read(300) == bytes([number]) * 300
            if number == 0:
                tracemalloc.reset_peak()  # from here on, nothing is kept for the first time
                before, _ = tracemalloc.get_traced_memory()
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert channel.captured().head == b"word\n" * 10
    assert peak - before < 1 << 14  # a chunk has 256 KiB


def test_reply_of_several_chunks_arrives_whole(pipes: tuple[Channel, int, int]) -> None:
    channel, replying, _ = pipes
    sent = os.urandom(700_000)  # less than the pipe holds
    os.write(replying, sent)
    channel.ask(b"", deadline=time.monotonic() + 10)
    assert channel.read(100) + channel.read(len(sent) - 100) == sent
