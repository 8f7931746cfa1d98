"""A database whose disk is full: what was acknowledged is stored, and of all else its learner is told that it is not.

When there is room again all goes on by itself.
"""

import contextlib
import secrets
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.processes import wait_until
from tests.queue.running import RIGHT, SLOW, Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

TRIES = 400  # more than fit into the pages that a database has begun
PROMISES = ("Our fault", "what you sent was not stored", "What was saved before is safe", "Send it again")


@contextlib.contextmanager
def _full_disk(running: Site) -> Iterator[None]:
    if running.disk is None:
        pytest.skip("no disk can be mounted here")
    running.ask("make_ready_for_no_room")
    with running.disk.full():
        yield


def _until_refused(send: Callable[[], list[Any]]) -> tuple[list[Any], list[Any]]:
    """Send until something is refused; return what was stored of those acknowledged, and of the one that was not."""
    acknowledged = []
    for _ in range(TRIES):
        status, page, stored = send()
        if status == 503:
            assert [promise for promise in PROMISES if promise not in page] == []
            return acknowledged, stored
        assert status == 302
        acknowledged.append(stored)
    raise AssertionError("the disk never was full")


def test_a_program_is_stored_or_its_learner_is_told(running):
    people = running.ask("make_people", 30)
    senders = iter(people)

    def send() -> list[Any]:
        # What cannot be made smaller needs pages of its own.
        return running.ask("post_program", next(senders), f"{RIGHT}\n# {secrets.token_hex(20_000)}\n")

    with _full_disk(running):
        acknowledged, refused = _until_refused(send)
        card, _ = running.ask("read_page", people[-1], "card", "self-attention")
    later, _, afterwards = send()

    assert refused == []
    assert card == 200
    assert later == 302
    assert {running.verdict_of(row)["verdict"] for (row,) in [*acknowledged, afterwards]} == {"right"}


def test_a_verdict_that_finds_no_room_is_written_when_there_is_some(running):
    (email,) = running.ask("make_people", 1)
    _, _, (submission,) = running.ask("post_program", email, SLOW)
    wait_until(running.guests)

    with _full_disk(running):
        wait_until(lambda: not running.guests())
        time.sleep(0.5)  # in which the recorder tries

    assert running.verdict_of(submission)["verdict"] == "right"
    running.say_and_wait()
    assert running.verdicts_written(submission) == 1


def test_an_answer_is_stored_or_its_learner_is_told(running):
    (email,) = running.ask("make_people", 1)
    sitting, place = running.ask("open_sitting", email)
    sent: list[str] = []

    def save(choice: str) -> list[Any]:
        sent.append(choice)
        return running.ask("save_answer", email, sitting, place, choice)

    with _full_disk(running):
        acknowledged, refused = _until_refused(lambda: save("12"[len(sent) % 2]))
    later, _, afterwards = save(sent[-1])

    assert [*acknowledged, refused] == [*range(1, len(acknowledged) + 1), len(acknowledged)]
    assert (later, afterwards) == (302, refused + 1)
