"""Twelve hostile programs, run for real; each test shows that the effect which its program wants did not happen.

That a verdict comes is not enough: a contained program and one that got away can earn the same.
"""

import os
import re
import resource
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from grader.sandbox import bubblewrap
from grader.sandbox.replies import CallReply, Cause, Died, Raised, Returned
from grader.sandbox.runner import Guest
from tests.sandbox.guests import (
    assert_gone,
    assert_honest_guest_works,
    floats,
    guest,
    members_of,
    namespace_of,
    need_sandbox,
    nothing_left_behind,
    values_of,
)

pytestmark = pytest.mark.sandbox

FOLDER = Path(__file__).parent
PROJECT = FOLDER.parents[1]
INDEX = yaml.safe_load((FOLDER / "index.yaml").read_text())["attacks"]
MEBIBYTE = 1 << 20


@pytest.fixture(autouse=True)
def _contained():
    """Whatever the attack: afterwards nothing is left of it, and the next honest guest is served."""
    need_sandbox()
    with nothing_left_behind():
        yield
        assert_honest_guest_works()


@contextmanager
def attacker(name: str, limits: dict[str, float] | None = None, **constants: object) -> Iterator[Guest]:
    """Open a guest around an attack, its constants set for this run; all its processes must be gone afterwards."""
    source = (FOLDER / f"{name}.py").read_text()
    for constant, value in constants.items():
        source, count = re.subn(rf"(?m)^{constant} = .*$", lambda _: f"{constant} = {value!r}", source)  # noqa: B023
        assert count == 1, f"{name}.py has no constant {constant}"
    with guest(source, **({"wall_seconds": 2.0} | (limits or {}))) as opened:
        namespace = namespace_of(opened.pid)
        yield opened
    assert_gone(namespace)


def attack(opened: Guest) -> CallReply:
    """Make the call that every attack waits for."""
    return opened.call("attention", [floats(1), floats(2), floats(3)])


def ending(reply: CallReply) -> str:
    if isinstance(reply, Died):
        return reply.cause.value
    return type(reply).__name__.lower()


@contextmanager
def watched(pid: int) -> Iterator[dict[str, int]]:
    """Sample, while the block runs, how many processes a guest has and how much memory they hold at most."""
    namespace, seen, done = namespace_of(pid), {"processes": 0, "bytes": 0}, threading.Event()

    def sample() -> None:
        members = members_of(namespace)
        seen["processes"] = max(seen["processes"], len(members))
        seen["bytes"] = max(seen["bytes"], sum(resident_bytes(member) for member in members))

    def keep_sampling() -> None:
        while not done.wait(0.005):
            sample()

    sampler = threading.Thread(target=keep_sampling)
    sampler.start()
    try:
        yield seen
    finally:
        sample()  # what is quick to start and slow to end is still there
        done.set()
        sampler.join()


def resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):  # it ended meanwhile
        return 0


def ownerless_bytes() -> int:
    """Return how much memory the machine holds for files and segments that may outlive every process."""
    return int(re.search(r"(?m)^Shmem:\s+(\d+)", Path("/proc/meminfo").read_text())[1]) * 1024


def test_every_attack_is_listed_and_tested():
    programs = {path.stem for path in FOLDER.glob("*.py")} - {"__init__", Path(__file__).stem}

    assert set(INDEX) == programs
    assert len(INDEX) == 12
    for name in INDEX:
        assert f"test_{name}_" in Path(__file__).read_text(), name


def test_endless_loop_does_not_hold_up_its_judge():
    with attacker("endless_loop", {"wall_seconds": 0.5}) as opened:
        began = time.monotonic()
        reply = attack(opened)
        held_up = time.monotonic() - began

    assert ending(reply) == INDEX["endless_loop"]["ends"]
    assert held_up < 1.5  # the limit, and room for a busy machine


def test_fork_bomb_starts_no_process():
    with attacker("fork_bomb") as opened, watched(opened.pid) as seen:
        reply = attack(opened)
        printed = opened.output().head

    assert ending(reply) == INDEX["fork_bomb"]["ends"]
    assert seen["processes"] == 1
    assert b"started 0\n" in printed


def test_memory_attack_takes_no_more_than_its_limit():
    ownerless_before = ownerless_bytes()
    limit = 256 * MEBIBYTE
    with attacker("memory", {"memory_bytes": limit, "wall_seconds": 10.0}) as opened:
        imported = resident_bytes(opened.pid)
        with watched(opened.pid) as seen:
            reply = attack(opened)
        printed = opened.output().head.decode()

    assert ending(reply) == INDEX["memory"]["ends"]
    assert isinstance(reply, Raised)
    assert reply.is_out_of_memory
    assert seen["bytes"] < imported + limit
    # No process's memory but the machine's: anonymous files, files in /dev/shm, System V segments.
    assert not {"anonymous_file", "file_in_memory", "system_v"} & set(re.findall(r"'(\w+)':", printed))
    assert ownerless_bytes() < ownerless_before + limit


def test_endless_print_fills_no_memory_and_is_ended():
    peak_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with attacker("endless_print", {"wall_seconds": 10.0}) as opened:
        began = time.monotonic()
        reply = attack(opened)
        taken = time.monotonic() - began
    captured = opened.output()

    assert ending(reply) == INDEX["endless_print"]["ends"]
    assert len(captured.head) == 64 * 1024
    assert captured.is_cut
    assert taken < 8  # by the amount, long before the time is up
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak_before < 32 * 1024


def test_os_exit_is_not_an_answer():
    with attacker("os_exit") as opened:
        first = attack(opened)
        second = attack(opened)

    assert ending(first) == INDEX["os_exit"]["ends"]
    assert first == second == Died(Cause.EXIT, "left with exit code 0", exit_code=0)


def test_network_attack_reaches_no_listener():
    name = f"attack-{os.getpid()}"
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        datagrams.bind(listener.getsockname())
        abstract.bind(f"\0{name}")
        abstract.listen()
        with attacker("network", PORT=listener.getsockname()[1], NAME=name) as opened:
            reply = attack(opened)
            printed = opened.output().head
        for waiting in (listener, datagrams, abstract):
            waiting.setblocking(False)
        for receive in (listener.accept, lambda: datagrams.recv(100), abstract.accept):
            with pytest.raises(BlockingIOError):
                receive()

    assert ending(reply) == INDEX["network"]["ends"]
    assert b"REACHED" not in printed


def test_environment_holds_no_secret(monkeypatch):
    secret = "a-secret-of-the-judge-93417"
    monkeypatch.setenv("SECRET_KEY", secret)
    monkeypatch.setenv("BROKER_URL", f"redis://:{secret}@127.0.0.1")
    with tempfile.TemporaryFile() as held_open:  # as a database or a key file would be
        held_open.write(secret.encode())
        held_open.flush()
        os.set_inheritable(held_open.fileno(), True)
        with attacker("environment") as opened:
            reply = attack(opened)
            printed = opened.output().head.decode()

    assert ending(reply) == INDEX["environment"]["ends"]
    assert secret not in printed
    names = set(re.findall(r"\('(\w+)', '", printed.splitlines()[0]))
    assert names <= set(bubblewrap.ENVIRONMENT_INSIDE) | {"PWD", "LC_CTYPE"}
    assert "processes ['1']" in printed
    assert set(re.findall(r"open (\d+) ", printed)) <= {"0", "1", "2", "3", "4"}


def test_project_files_and_accounts_stay_unread(tmp_path):
    secret = "a-secret-in-a-file-93417"
    with tempfile.NamedTemporaryFile("w", suffix=".key") as key:
        Path(key.name).chmod(0o644)
        key.write(secret)
        key.flush()
        paths = [
            *(str(PROJECT), str(PROJECT / "pyproject.toml"), str(PROJECT / "grader/sandbox/runner.py")),
            *(str(PROJECT / "var"), str(PROJECT / "courseware/content"), str(tmp_path), key.name),
            *("/etc/passwd", "/etc/shadow", "/etc/hostname", "/root", "/home", "/var", "/run", "/tmp", "/sys"),
            *("/usr/bin", "/usr/src", "/usr/local", "/boot", "/dev/vda", "/dev/mem", "/dev/kmsg", "/proc/kcore"),
        ]
        with attacker("project_files", PATHS=paths) as opened:
            reply = attack(opened)
            printed = opened.output().head.decode()

    assert ending(reply) == INDEX["project_files"]["ends"]
    assert secret not in printed
    # Of these there exist inside a folder with nothing but the interpreter in it, and the guest's own empty scratch.
    for line in printed.splitlines():
        assert not line.startswith("READ") or re.search(r"/usr/bin \['python3[.\d]*'\]$|/tmp \[\]$", line), line


def test_writing_outside_changes_nothing():
    with tempfile.TemporaryDirectory() as open_to_all:
        Path(open_to_all).chmod(0o777)
        folders = [open_to_all, "/tmp", "/var/tmp", "/dev/shm", str(PROJECT), str(FOLDER)]
        mode_before = Path("/dev/null").stat().st_mode
        with attacker("writing_outside", FOLDERS=folders) as opened:
            reply = attack(opened)
            printed = opened.output().head.decode()
        places = [*folders, str(bubblewrap.interpreter().site_packages / "numpy"), "/", "/dev", "/usr", "/usr/lib"]
        left = [path for place in places for path in Path(place).glob("written-by-a-guest*")]

    assert ending(reply) == INDEX["writing_outside"]["ends"]
    assert left == []
    assert Path("/dev/null").stat().st_mode == mode_before
    wrote = {line for line in printed.splitlines() if line.startswith("WROTE")}
    assert all(re.fullmatch(r"WROTE (folder )?/tmp/[\w-]+", line) for line in wrote)  # its own scratch, which ends with it
    assert printed.count("\n") > 20  # it did try


def test_forged_frames_answer_no_later_call():
    with attacker("forged_frames") as opened:
        first = attack(opened)
        second = opened.call("attention", [floats(4), floats(5), floats(6)])

    # The forged reply to the call at hand is its claim of an output, no better than one returned.
    assert ending(first) == INDEX["forged_frames"]["ends"]
    assert values_of(first.outputs[0]) == (42,)
    assert ending(second) == "protocol"


@pytest.mark.parametrize("way", ["view", "copy", "frame"])
def test_huge_result_is_never_held(way):
    peak_before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with attacker("huge_result", WAY=way) as opened:
        reply = attack(opened)

    assert ending(reply) == INDEX["huge_result"]["ends"]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak_before < 32 * 1024


def test_left_over_process_is_gone_with_its_guest():
    with attacker("left_over") as opened:
        reply = attack(opened)
        printed = opened.output().head
        began = time.monotonic()
    closing = time.monotonic() - began

    assert ending(reply) == INDEX["left_over"]["ends"]
    assert isinstance(reply, Returned)
    assert b"STARTED" not in printed
    assert closing < 2
