"""The limits as values, and that nobody's honest work meets them; that they hold is what `tests/attacks` shows."""

import contextlib
import dataclasses

import pytest

from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Nursery
from grader.sandbox.replies import Returned
from grader.sandbox.rungs import LADDER
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from tests.sandbox.guests import floats, guest, values_of

# As many threads as a library may start, all of them there until the program ends.
MANY_THREADS = """
import threading
def double(x):
    for _ in range(12):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
    return x * 2
"""


def test_no_limit_can_be_switched_off():
    for field in dataclasses.fields(Limits):
        with pytest.raises(ValueError, match=field.name):
            Limits(**{field.name: 0})


def test_not_a_number_is_no_limit():
    with pytest.raises(ValueError, match="wall_seconds"):
        Limits(wall_seconds=float("nan"))


@pytest.mark.sandbox
@pytest.mark.usefixtures("sandbox")
@pytest.mark.parametrize("rung", LADDER)
def test_guests_that_work_at_once_are_not_counted_together(rung):
    """The kernel counts the processes of an account, and those of many learners are one account's."""
    nursery = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), rung=rung)
    with contextlib.closing(nursery), contextlib.ExitStack() as at_work:
        replies = []
        for _ in range(12):
            opened = open_guest(
                source=MANY_THREADS, filename="a.py", library="numpy", limits=Limits(), take=nursery.take
            )
            replies.append(at_work.enter_context(opened).call("double", [floats(1)], wall_seconds=10))

    assert [isinstance(reply, Returned) and values_of(reply.outputs[0]) for reply in replies] == [(2,)] * 12


# After the first, each array is larger than every hole that the ones before could have left.
ARRAYS_LET_GO = """
import torch
kept = [bytearray(b"x" * 200_000) for _ in range(100)]  # in whatever holes there are
def double(x):
    for megabytes in (30, *range(2, 30)):
        array = torch.ones(megabytes << 20, dtype=torch.uint8)
        kept.append(bytearray(200_000))
        del array
    return x * 2
"""


@pytest.mark.sandbox
@pytest.mark.usefixtures("sandbox")
def test_memory_that_was_let_go_is_not_counted_beside_what_comes_after_it():
    with guest(ARRAYS_LET_GO, library="pytorch") as opened:
        opened.load()
        before = opened.high_water_bytes()
        assert isinstance(opened.call("double", [floats(1)]), Returned)

        assert opened.high_water_bytes() - before < 35 << 20  # the largest has 30 MB
