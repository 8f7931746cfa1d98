"""Whether guests may run here: the reasons for a refusal, each brought about for real where that can be done."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

import pytest

from grader.sandbox import bubblewrap
from grader.sandbox.bubblewrap import Interpreter, interpreter
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Nursery
from grader.sandbox.probe import find_rung, refuse_closed_folders
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.rungs import Rung
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest
from tests.sandbox.guests import HONEST, members_of, need_sandbox, open_files, run_as_ordinary_account

pytestmark = pytest.mark.sandbox

PROJECT = Path(bubblewrap.__file__).resolve().parents[2]
AS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not AS_ROOT, reason="only root can start a process of another account")


@pytest.fixture
def folder():
    """A folder that every account may enter, which pytest's own are not."""
    path = Path(tempfile.mkdtemp())
    path.chmod(0o755)
    yield path
    subprocess.run(["chmod", "-R", "u+rwx", str(path)], check=True)
    shutil.rmtree(path)


def test_the_rung_is_found_by_running_guests():
    need_sandbox()

    assert find_rung().rung is Rung.BUBBLEWRAP


def test_an_ordinary_account_has_the_same_rung():
    need_sandbox()

    done = run_as_ordinary_account("-c", "from grader.sandbox.probe import find_rung; print(find_rung().rung.value)")

    assert done.stdout == "bubblewrap\n", done.stderr


WITHOUT_NAMESPACES = """
import ctypes, os
from pathlib import Path
uid = os.getuid()
assert ctypes.CDLL(None).unshare(0x10000000) == 0
Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
Path("/proc/sys/user/max_user_namespaces").write_text("0")
from grader.sandbox.probe import find_rung
from grader.sandbox.replies import SandboxUnavailable
"""
WITHOUT_LANDLOCK = """
from grader.sandbox import zygote
read = Path.read_bytes
# A kernel without it answers as this program then does.
Path.read_bytes = lambda path: read(path).replace(b"self.abi = libc.syscall", b"self.abi = -1 or libc.syscall") if (
    path.name == "walls.py") else read(path)
"""


def test_without_user_namespaces_landlock_shuts_in_and_the_reason_says_what_to_allow():
    need_sandbox()

    done = run_as_ordinary_account(
        "-c", f"{WITHOUT_NAMESPACES}found = find_rung()\nprint(found.rung.value, found.reason)"
    )

    assert done.stdout.startswith("landlock Landlock, system call filter, limits; no namespaces"), done.stderr
    assert "user namespaces are not allowed to this account" in done.stdout


def test_without_any_wall_nothing_runs_and_every_reason_is_told():
    need_sandbox()
    program = (
        f"{WITHOUT_NAMESPACES}{WITHOUT_LANDLOCK}"
        "try:\n    find_rung()\nexcept SandboxUnavailable as error:\n    print(error.reason)\n"
    )

    done = run_as_ordinary_account("-c", program)

    assert "user namespaces are not allowed to this account" in done.stdout, done.stderr
    assert "this kernel has no Landlock" in done.stdout


def test_without_bubblewrap_the_reason_names_the_package(monkeypatch, tmp_path):
    files = len(open_files())
    monkeypatch.setenv("PATH", str(tmp_path))

    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",)).take()

    assert len(open_files()) == files


@needs_root
def test_root_is_never_the_account_of_a_guest():
    with pytest.raises(SandboxUnavailable, match="SANDBOX_UID is 0"):
        open_guest(
            source=HONEST,
            filename="solution.py",
            library="numpy",
            limits=Limits(),
            take=Nursery(uid=0, libraries=("numpy",)).take,
        )


@needs_root
def test_a_guest_of_root_runs_under_the_given_account():
    need_sandbox()

    nursery = Nursery(uid=61235, libraries=("numpy",))
    try:
        with open_guest(
            source=HONEST, filename="solution.py", library="numpy", limits=Limits(), take=nursery.take
        ) as opened:
            status = Path(f"/proc/{opened.pid}/status").read_text()
    finally:
        nursery.close()

    assert "Uid:\t61235\t61235\t61235\t61235\n" in status
    assert "Gid:\t61235\t61235\t61235\t61235\n" in status
    assert "Groups:\t \n" in status


@pytest.mark.parametrize("closed", ["outer", "outer/site-packages", "outer/site-packages/numpy"])
def test_a_closed_folder_on_the_way_to_the_packages_is_named(folder, closed):
    package = folder / "outer" / "site-packages" / "numpy"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for path in (folder / "outer", package.parent, package):
        path.chmod(0o755)
    shown = Interpreter(interpreter().executable, interpreter().library, package.parent)
    refuse_closed_folders(shown, libraries=("numpy",), uid=DEFAULT_SANDBOX_UID)
    # Root sees through a closed folder and must ask as the guest's account; any other account is itself shut out.
    (folder / closed).chmod(0o700 if AS_ROOT else 0o600)

    with pytest.raises((SandboxUnavailable, PermissionError), match=str(folder / closed)):
        refuse_closed_folders(shown, libraries=("numpy",), uid=DEFAULT_SANDBOX_UID)


@needs_root
def test_an_unreadable_package_is_named(folder):
    package = folder / "numpy"
    package.mkdir(mode=0o755)
    (package / "__init__.py").touch(0o600)
    shown = Interpreter(interpreter().executable, interpreter().library, folder)

    with pytest.raises(SandboxUnavailable, match=r"numpy/__init__\.py is closed to uid 61000"):
        refuse_closed_folders(shown, libraries=("numpy",), uid=DEFAULT_SANDBOX_UID)


@needs_root
def test_an_interpreter_in_a_closed_home_is_named(folder):
    home = folder / "home"
    home.mkdir()
    shutil.copy(interpreter().executable, home / "python3")
    home.chmod(0o700)
    shown = Interpreter(home / "python3", interpreter().library, interpreter().site_packages)

    with pytest.raises(SandboxUnavailable, match=f"{home} is closed to uid 61000"):
        refuse_closed_folders(shown, libraries=("numpy",), uid=DEFAULT_SANDBOX_UID)


def test_a_missing_library_is_named(folder):
    shown = Interpreter(interpreter().executable, interpreter().library, folder)

    with pytest.raises(SandboxUnavailable, match="torch is not installed"):
        refuse_closed_folders(shown, libraries=("pytorch",), uid=DEFAULT_SANDBOX_UID)


def test_a_server_inside_a_folder_that_guests_are_shown_is_refused():
    descriptors = bubblewrap.Descriptors(programs=(10, 11, 12, 13, 14, 15), filter=16, control=17)
    shown = Interpreter(interpreter().executable, interpreter().library, PROJECT.parent)

    with pytest.raises(SandboxUnavailable, match="move it"):
        bubblewrap.command(shown, descriptors, ["numpy"])


def test_nothing_is_bound_writable_and_no_folder_of_the_system_but_libraries():
    descriptors = bubblewrap.Descriptors(programs=(10, 11, 12, 13, 14, 15), filter=16, control=17)
    command = bubblewrap.command(interpreter(), descriptors, ["numpy"])

    assert not {"--bind", "--bind-try", "--dev-bind", "--tmpfs", "--share-net"} & set(command)
    bound = {command[place + 1] for place, word in enumerate(command) if word.startswith("--ro-bind")}
    assert not bound & {"/", "/usr", "/etc", "/home", "/root", "/var", "/tmp", str(PROJECT)}


def test_a_guest_does_not_outlive_a_judge_that_is_killed():
    need_sandbox()
    program = """
import sys
from pathlib import Path
from tests.sandbox.guests import guest, namespace_of
with guest("while True:\\n    pass\\n", wall_seconds=60) as opened:
    print(namespace_of(opened.pid), flush=True)
    opened.load()
"""
    judge = subprocess.Popen([sys.executable, "-c", program], cwd=PROJECT, stdout=subprocess.PIPE, text=True)
    try:
        namespace = judge.stdout.readline().strip()
        assert len(members_of(namespace)) == 1
        time.sleep(0.3)  # into the endless loop
    finally:
        judge.send_signal(signal.SIGKILL)
        judge.communicate()

    deadline = time.monotonic() + 5
    while members_of(namespace) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert members_of(namespace) == []


def test_a_guest_that_cannot_import_its_library_is_the_operators_fault(folder):
    need_sandbox()
    venv.create(folder, symlinks=True)
    program = """
from grader.sandbox.limits import Limits
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.runner import open_guest
try:
    open_guest(source="", filename="solution.py", library="numpy", limits=Limits())
except SandboxUnavailable as error:
    print(error.reason)
"""

    done = subprocess.run(
        [folder / "bin" / "python", "-c", program],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        check=False,
    )

    assert "No module named 'numpy'" in done.stdout, done.stderr
