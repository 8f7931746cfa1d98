"""What a device asks of the sandbox. That programs compute there is tried by `grader.judge.gpucheck`, on one."""

import os
import signal
import time
from pathlib import Path

import pytest

from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import Descriptors, interpreter
from grader.sandbox.devices import Device, device_nodes
from grader.sandbox.filters import guest_filter
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Nursery
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.rungs import Rung
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from tests.sandbox.guests import HONEST

DESCRIPTORS = Descriptors(programs=(10, 11, 12, 13, 14, 15), filter=16, control=17)
NODES = ("nvidia3", "nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")


@pytest.fixture
def nodes(tmp_path: Path) -> Path:
    for name in (*NODES, "nvidia10", "nvidia-modeset"):
        (tmp_path / name).touch()
    return tmp_path


def test_the_first_device_and_what_all_share_are_bound_and_no_other(nodes):
    assert [node.name for node in device_nodes(nodes)] == list(NODES)


@pytest.mark.parametrize("missing", NODES[1:])
def test_missing_node_is_named_before_anything_runs_on_the_cpu_instead(nodes, missing):
    (nodes / missing).unlink()

    with pytest.raises(SandboxUnavailable, match=f"there is no {nodes / missing}:"):
        device_nodes(nodes)


def test_nodes_are_bound_as_devices_into_a_dev_that_is_then_closed(nodes, monkeypatch):
    monkeypatch.setattr(bubblewrap, "device_nodes", lambda: device_nodes(nodes))

    command = bubblewrap.command(interpreter(), DESCRIPTORS, ["pytorch"], device=Device.CUDA)

    bound = [place for place, word in enumerate(command) if word == "--dev-bind"]
    assert [Path(command[place + 1]).name for place in bound] == list(NODES)
    assert command.index("--dev") < bound[0] and bound[-1] < command.index("--remount-ro")
    assert command[command.index("/sys") - 1] == "--ro-bind"


def test_without_a_device_nothing_of_one_is_shown():
    command = bubblewrap.command(interpreter(), DESCRIPTORS, ["pytorch"])

    assert not {"--dev-bind", "/sys"} & set(command)


def test_only_the_filter_of_a_device_lets_its_requests_through():
    assert guest_filter(Device.CPU) == guest_filter()
    assert guest_filter(Device.CUDA) != guest_filter()


def test_no_device_without_namespaces():
    nursery = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), rung=Rung.LANDLOCK, device=Device.CUDA)

    with pytest.raises(SandboxUnavailable, match="without namespaces"):
        nursery.take()


@pytest.mark.sandbox
@pytest.mark.usefixtures("sandbox")
def test_guest_on_the_cpu_is_refused_where_a_device_was_asked_for():
    with (
        pytest.raises(SandboxUnavailable, match="a guest computes on cpu, and cuda was asked for"),
        open_guest(source=HONEST, filename="x.py", library="numpy", limits=Limits(), device=Device.CUDA) as guest,
    ):
        guest.load()


@pytest.mark.sandbox
@pytest.mark.usefixtures("sandbox")
def test_one_guest_at_a_time_has_the_device():
    """With no walls and NumPy alone no device is touched, so that the order of guests can be seen without one."""
    nursery = Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), rung=Rung.FILTER, device=Device.CUDA)
    try:
        first = nursery.take()
        with pytest.raises(SandboxUnavailable, match=r"no guest was ready within 0\.3 s"):
            nursery.take(0.3)
        os.kill(first.guest_pid, signal.SIGKILL)
        began = time.monotonic()
        second = nursery.take()
        assert second.guest_pid != first.guest_pid
        assert time.monotonic() - began < 10
        first.discard()
        second.discard()
    finally:
        nursery.close()
