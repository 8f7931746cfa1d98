"""The zygote and its keepers: what a guest inherits, and what happens when one of them is gone."""

import os
import signal
import time
from pathlib import Path

import pytest

from grader.sandbox import nursery as nurseries
from grader.sandbox.devices import Device
from grader.sandbox.keeper import Keeper
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Nursery
from grader.sandbox.replies import Loaded, Raised, Returned, SandboxUnavailable, ZygoteGone
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from tests.processes import wait_until
from tests.sandbox.guests import HONEST, floats, guest, need_torch, open_files, values_of

pytestmark = [pytest.mark.sandbox, pytest.mark.usefixtures("sandbox")]


@pytest.fixture
def nursery():
    """A nursery of the test's own, since it is about to be harmed."""
    own = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",))
    yield own
    own.close()


def opened_from(take, source: str = HONEST, **limits: float):
    return open_guest(source=source, filename="solution.py", library="numpy", limits=Limits(**limits), take=take)


def answers(opened) -> bool:
    reply = opened.call("double", [floats(1, 2)], wall_seconds=10)
    return isinstance(reply, Returned) and values_of(reply.outputs[0]) == (2, 4)


def call_until_it_fails(opened) -> None:
    """Call on: what was killed may still answer once or twice."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        assert isinstance(opened.call("double", [floats(1)]), Returned)


def wait_for_end_of(pid: int) -> None:
    deadline = time.monotonic() + 10
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not Path(f"/proc/{pid}").exists()


def test_a_zygote_runs_one_thread_and_holds_nothing_of_its_guests(nursery):
    for _ in range(5):
        with opened_from(nursery.take) as opened:
            assert answers(opened)

    folder = Path(f"/proc/{nursery.zygote_pid}")
    assert len(list((folder / "task").iterdir())) == 1
    # Nothing, two pipes of its own words, the control socket, its namespace; then process and leash of each that waits.
    wanted, deadline = 5 + 2 * Device.CPU.kept_ready, time.monotonic() + 10
    while len(list((folder / "fd").iterdir())) != wanted and time.monotonic() < deadline:
        nursery.attend()
        time.sleep(0.01)
    assert len(list((folder / "fd").iterdir())) == wanted


def test_whoever_takes_a_guest_alone_is_left_the_cores_while_another_one_waits(nursery, monkeypatch):
    nursery.take().discard()
    wait_until(lambda: nursery.attend() or nursery.is_full)
    monkeypatch.setattr("grader.sandbox.nursery._LATELY_SECONDS", 0.0)
    monkeypatch.setattr("grader.sandbox.nursery._UNDISTURBED_SECONDS", 60.0)

    births = []
    for _ in range(Device.CPU.kept_ready):
        nursery.take().discard()
        births.append(len(nursery.descriptors()) - 1)

    assert births == [0] * (Device.CPU.kept_ready - 1) + [Device.CPU.kept_ready]


def test_nothing_of_an_earlier_source_lies_in_the_memory_that_a_guest_inherits():
    marker = "a-word-of-an-earlier-learner-5519"
    search = """
def f(first, second):
    wanted, found = (first + second).encode(), 0
    for line in open("/proc/self/maps"):
        span, rights, *_ = line.split()
        if rights.startswith("r") and "[v" not in line:
            begin, end = (int(text, 16) for text in span.split("-"))
            import ctypes
            found += ctypes.string_at(begin, end - begin).count(wanted)
    return found
"""
    with guest(f"kept = {marker!r} * 1000\n{HONEST}") as earlier:
        assert answers(earlier)
    with guest(search, library="numpy", wall_seconds=60.0, total_seconds=60.0) as later:
        count = later.call("f", ["a-word-of-an-earlier-", "learner-5519"])
    with guest(search + f"\nkept = {marker!r}\n", wall_seconds=60.0, total_seconds=60.0) as itself:
        own = itself.call("f", ["a-word-of-an-earlier-", "learner-5519"])

    assert isinstance(own, Returned), own
    assert own.outputs[0].data > bytes(8), "the search finds nothing even where there is something"
    assert isinstance(count, Returned), count
    # The search itself may put the words together once or twice.
    assert int.from_bytes(count.outputs[0].data, "little") < int.from_bytes(own.outputs[0].data, "little")


def test_a_scratch_folder_is_small_and_its_own():
    source = """
import os
def write(count, size):
    for index in range(count):
        with open(f"/tmp/{index}", "wb") as file:
            file.write(bytes(size))
    return count
def look():
    return len(os.listdir("/tmp"))
"""
    with guest(source) as opened:
        assert isinstance(opened.call("write", [10, 1000]), Returned)
        assert opened.call("look", []).outputs[0].data[0] == 10
        assert isinstance(opened.call("write", [1, 17 << 20]), Raised)
        assert isinstance(opened.call("write", [300, 0]), Raised)
    with guest(source) as following:
        assert following.call("look", []).outputs[0].data[0] == 0


def test_a_guest_that_loses_its_zygote_says_so_and_is_not_blamed(nursery):
    with opened_from(nursery.take) as opened:
        assert isinstance(opened.load(), Loaded)
        os.kill(nursery.zygote_pid, signal.SIGKILL)
        with pytest.raises(ZygoteGone):
            call_until_it_fails(opened)

    with opened_from(nursery.take) as following:
        assert answers(following)


def test_a_zygote_is_replaced_after_its_time_and_its_guests_finish(nursery, monkeypatch):
    monkeypatch.setattr(nurseries, "FORKS_PER_ZYGOTE", 3)
    with opened_from(nursery.take) as opened:
        first = nursery.zygote_pid
        deadline = time.monotonic() + 60
        while nursery.zygote_pid == first and time.monotonic() < deadline:
            with opened_from(nursery.take) as other:
                assert answers(other)  # there is no gap between the old one and the new
        assert nursery.zygote_pid != first
        assert answers(opened)  # of the old one
        assert Path(f"/proc/{first}").exists()

    wait_for_end_of(first)


def test_a_zygote_that_grows_is_replaced(nursery, monkeypatch):
    monkeypatch.setattr(nurseries, "GROWTH_BYTES", -1)
    monkeypatch.setattr(nurseries, "_CHECK_EVERY", 1)
    nursery.take().discard()
    first = nursery.zygote_pid
    deadline = time.monotonic() + 60
    while nursery.zygote_pid == first and time.monotonic() < deadline:
        nursery.take().discard()

    assert nursery.zygote_pid != first


def test_a_nursery_leaves_nothing_when_it_is_closed():
    files = len(open_files())
    own = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",))
    own.take().discard()
    pid = own.zygote_pid
    own.close()

    wait_for_end_of(pid)
    assert len(open_files()) == files


def test_a_killed_supervisor_is_replaced_and_whoever_asks_meanwhile_waits():
    keeper = Keeper(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), log_format="text")
    keeper.start()
    try:
        with opened_from(keeper.take) as opened:
            assert answers(opened)
            first = keeper.pid
            os.kill(first, signal.SIGKILL)
            with pytest.raises(ZygoteGone):  # it dies with its supervisor
                call_until_it_fails(opened)
        with opened_from(keeper.take) as following:
            assert answers(following)
        assert keeper.pid != first
        last = keeper.pid
    finally:
        keeper.stop()
    wait_for_end_of(last)
    with pytest.raises(SandboxUnavailable):
        keeper.take(0.2)


def test_a_supervisor_tells_why_there_is_no_guest(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    keeper = Keeper(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), log_format="text")
    keeper.start()
    try:
        with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
            keeper.take()
    finally:
        keeper.stop()


@pytest.mark.slow
def test_only_a_guest_that_is_given_pytorch_copies_its_memory():
    """It was copied for every guest: that doubled what a birth costs, and a site's exercises differ in library."""
    need_torch()

    def private_kibibytes(library: str) -> int:
        with guest("", library=library) as opened:
            assert opened.device_name == "cpu"  # it is warm, and has seen no source
            rollup = Path(f"/proc/{opened.pid}/smaps_rollup").read_text()
        return int(rollup.partition("Private_Dirty:")[2].split()[0])

    # 540 to 760 more when this was written.
    assert private_kibibytes("pytorch") > private_kibibytes("numpy") + 320
