"""The lower rung: no namespaces, so that files, network and signals are kept by Landlock and the filter alone."""

import pytest

from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Nursery
from grader.sandbox.replies import Cause, Died, Raised, Returned
from grader.sandbox.rungs import Rung
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from tests.sandbox.guests import HONEST, floats, values_of

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("sandbox")]

PRYING = """
import os, socket
def tries(port):
    wanted = {
        "list": lambda: os.listdir("/etc"), "read": lambda: open("/etc/passwd"), "home": lambda: os.listdir("/"),
        "write": lambda: open("/tmp/written", "w"), "own folder": lambda: os.mkdir("/tmp/made"),
        "processes": lambda: os.listdir("/proc"), "fork": os.fork, "signal": lambda: os.kill(-1, 0),
        "connect": lambda: socket.create_connection(("127.0.0.1", port), 1), "device": lambda: open("/dev/mem"),
        "programs": lambda: os.execv("/bin/true", ["true"]),
    }
    opened = []
    for name, action in wanted.items():
        try:
            action()
        except OSError:
            continue
        opened.append(name)
    if opened:
        raise RuntimeError(", ".join(opened))
    return len(wanted)
"""


@pytest.fixture(scope="module")
def take():
    own = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), rung=Rung.LANDLOCK)
    yield own.take
    own.close()


def opened(take, source: str, **limits: float):
    return open_guest(source=source, filename="solution.py", library="numpy", limits=Limits(**limits), take=take)


def test_an_honest_program_is_served(take):
    with opened(take, HONEST) as honest:
        reply = honest.call("double", [floats(1, 2)], wall_seconds=10)

    assert isinstance(reply, Returned), reply
    assert values_of(reply.outputs[0]) == (2, 4)


def test_every_door_is_closed(take):
    with opened(take, PRYING) as prying:
        reply = prying.call("tries", [9], wall_seconds=10)

    assert isinstance(reply, Returned), reply


def test_an_endless_loop_is_ended_and_a_greedy_program_gets_no_memory(take):
    source = "def loop():\n    while True:\n        pass\ndef take():\n    return len(bytearray(1 << 40))\n"
    with opened(take, source) as greedy:
        raised = greedy.call("take", [])
        died = greedy.call("loop", [], wall_seconds=0.2)

    assert isinstance(raised, Raised) and raised.is_out_of_memory
    assert isinstance(died, Died) and died.cause is Cause.TIME
