"""How a guest ends, by its own doing or by its limits, what is kept of what it printed, and that nothing is left."""

import time

import pytest

from grader.sandbox.replies import Cause, Died, Returned
from tests.sandbox.guests import HONEST, assert_gone, call, floats, guest, members_of, namespace_of, nothing_left_behind

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("sandbox")]


def test_standard_output_and_error_are_captured_in_order():
    source = (
        "import sys\nprint('one')\nprint('two', file=sys.stderr)\ndef f():\n    print('three', end='')\n    return 1\n"
    )

    with guest(source) as opened:
        opened.call("f", [])
        captured = opened.output()

    assert captured.head == b"one\ntwo\nthree"
    assert not captured.is_cut


def test_a_chatty_but_right_program_is_cut_and_answered():
    with guest("def f(x):\n    print('x' * 200_000)\n    return x\n") as opened:
        reply = opened.call("f", [floats(1)])
        captured = opened.output()

    assert isinstance(reply, Returned)
    assert captured.head == b"x" * 65536
    assert captured.is_cut


def test_what_a_killed_program_printed_is_kept():
    with guest("print('so far')\nwhile True:\n    pass\n", wall_seconds=0.3) as opened:
        assert opened.load().cause is Cause.TIME
    assert opened.output().head == b"so far\n"


def test_a_call_may_have_less_time_than_the_limit():
    with guest("def f():\n    while True:\n        pass\n", wall_seconds=60) as opened:
        began = time.monotonic()
        reply = opened.call("f", [], wall_seconds=0.2)

    assert isinstance(reply, Died)
    assert reply.cause is Cause.TIME
    assert time.monotonic() - began < 5


def test_many_short_calls_end_at_the_total():
    with guest("import time\ndef f():\n    time.sleep(0.1)\n    return 1\n", total_seconds=0.45) as opened:
        replies = [opened.call("f", []) for _ in range(8)]

    assert isinstance(replies[0], Returned)
    assert isinstance(replies[-1], Died)
    assert replies[-1].cause is Cause.TIME


def test_a_sleeping_judge_does_not_stretch_the_processor_limit():
    # A program that computes on after its reply, in a thread, while the judge looks elsewhere.
    source = (
        "import threading\n"
        "def spin():\n"
        "    while True:\n"
        "        pass\n"
        "def f():\n"
        "    threading.Thread(target=spin, daemon=True).start()\n"
        "    return 1\n"
    )

    with guest(source, cpu_seconds=1) as opened:
        assert isinstance(opened.call("f", []), Returned)
        namespace = namespace_of(opened.pid)
        deadline = time.monotonic() + 60  # two seconds of a processor, which a busy machine may give late
        while members_of(namespace) and time.monotonic() < deadline:
            time.sleep(0.05)
        reply = opened.call("f", [])

    assert isinstance(reply, Died)
    assert reply.cause is Cause.TIME


def test_processor_time_is_counted_by_the_kernel():
    with guest("def f():\n    for _ in range(10**7):\n        pass\n    return 1\n", wall_seconds=10) as opened:
        opened.load()
        before = opened.cpu_seconds()
        reply = opened.call("f", [])
        spent = opened.cpu_seconds() - before

    assert 0 < spent <= reply.seconds + 0.1
    assert opened.cpu_seconds() >= spent


def test_processor_time_is_known_of_a_guest_that_left_between_calls():
    source = "import os, threading, time\ndef f():\n    threading.Timer(0.05, os._exit, (0,)).start()\n    return 1\n"

    with guest(source) as opened:
        opened.call("f", [])
        time.sleep(0.3)

        assert opened.cpu_seconds() >= 0
        assert opened.call("f", []) == Died(Cause.EXIT, "left with exit code 0", exit_code=0)


def test_a_crash_is_told_with_its_signal():
    reply = call("import ctypes\ndef f():\n    ctypes.string_at(0)\n")

    assert isinstance(reply, Died)
    assert (reply.cause, reply.signal) == (Cause.CRASH, 11)


def test_a_dead_guest_answers_every_call_alike():
    with guest("import os\ndef f():\n    os._exit(3)\ndef g():\n    return 1\n") as opened:
        first = opened.call("f", [])

        assert first == Died(Cause.EXIT, "left with exit code 3", exit_code=3)
        assert opened.call("g", []) is first


def test_a_closed_guest_is_gone_and_may_be_closed_again():
    with nothing_left_behind():
        opened = guest(HONEST)
        namespace = namespace_of(opened.pid)
        assert opened.pid in members_of(namespace)
        opened.close()
        opened.close()

    assert_gone(namespace)
    assert isinstance(opened.call("double", [floats(1)]), Died)


def test_a_guest_is_gone_when_the_judge_fails_in_between():
    with nothing_left_behind():
        with pytest.raises(ZeroDivisionError), guest(HONEST) as opened:
            namespace = namespace_of(opened.pid)
            opened.load()
            raise ZeroDivisionError
        assert_gone(namespace)


SLEEPS = "import time\ndef f():\n    time.sleep(99)\n"
HEEDS_NOTHING = """
import contextlib, signal
def f():
    for each in range(1, 65):
        with contextlib.suppress(OSError, ValueError):
            signal.signal(each, signal.SIG_IGN)
    while True:
        pass
"""
LEAVES_A_CHILD = """
import contextlib, os, time
def f():
    with contextlib.suppress(OSError):
        os.fork()
    time.sleep(99)
"""


def test_of_thirty_that_would_stay_nobody_does():
    with nothing_left_behind():
        for source in (SLEEPS, HEEDS_NOTHING, LEAVES_A_CHILD) * 10:
            with guest(source) as opened:
                reply = opened.call("f", (), wall_seconds=0.05)
                assert isinstance(reply, Died) and reply.cause is Cause.TIME
