"""Whether guests may run on this machine at all, found out by really running some.

Owns the self-test at a judge's start: an honest program must come through, a few attacks must not, and the account that
guests run under must reach what it needs. It must not know exercises; the programs here are ours and may be believed.
"""

import os
import shutil
import socket
import struct
import subprocess
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from grader.sandbox.bubblewrap import Interpreter, interpreter
from grader.sandbox.cell import account
from grader.sandbox.devices import Device
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Library, own_nursery
from grader.sandbox.replies import Cause, Died, Returned, SandboxUnavailable
from grader.sandbox.rungs import LADDER, Rung
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, Guest, Take, open_guest
from grader.sandbox.wire import Array

Supply = Callable[[Rung], Take]

_PACKAGES: dict[Library, str] = {"numpy": "numpy", "pytorch": "torch"}
_ENTER_OR_RUN, _READ = "-x", "-r"  # as test(1) calls them
_HONEST = "def double(x):\n    return x * 2\n"
_ENDLESS = "def double(x):\n    while True:\n        pass\n"
_ENDLESS_SECONDS = 0.2
# Returns the names of what succeeded, so that a reason can say which wall is missing.
_PRYING = """
import os, socket

def pry(port, forbidden):
    open_doors = []
    def attempt(name, action):
        try:
            action()
        except OSError:
            return
        open_doors.append(name)
    attempt("the network", lambda: socket.create_connection(("127.0.0.1", port), 1))
    attempt("starting processes", os.fork)
    attempt("signals to others", lambda: os.kill(-1, 0))
    attempt("writing files", lambda: open("/escaped", "w"))
    attempt("writing to /dev/shm", lambda: open("/dev/shm/escaped", "w"))
    attempt("anonymous files", lambda: os.memfd_create("escaped"))
    attempt("the server's files", lambda: os.listdir(forbidden))
    attempt("accounts", lambda: open("/etc/passwd"))
    try:
        seen = [name for name in os.listdir("/proc") if name.isdigit()]
    except OSError:
        seen = []
    if len(seen) > 1:
        open_doors.append("other processes")
    if open_doors:
        raise RuntimeError(", ".join(open_doors))
    return 0
"""


@dataclass(frozen=True)
class FoundRung:
    """The rung of the ladder on which guests run here, what it consists of, and why it is none of those above."""

    rung: Rung
    reason: str
    device_name: str


def find_rung(
    *,
    libraries: Sequence[Library] = ("numpy",),
    uid: int = DEFAULT_SANDBOX_UID,
    supply: Supply | None = None,
    device: Device = Device.CPU,
) -> FoundRung:
    """Return the first rung on which guests run; SandboxUnavailable, with reasons to act on, when none may run.

    `supply` gives, for a rung, where its guests are taken from: this process's own nursery if it is left out.
    """
    refuse_closed_folders(interpreter(), libraries=libraries, uid=uid)
    supply = supply or (lambda rung: own_nursery(uid, tuple(libraries), rung, device).take)
    refused: list[str] = []
    for rung in LADDER:
        try:
            name = _try_out(partial(open_guest, take=supply(rung), device=device), libraries)
        except SandboxUnavailable as unavailable:
            refused.append(f"{rung.value}: {unavailable.reason}")
        else:
            return FoundRung(rung, "; ".join([rung.walls, *(f"not {reason}" for reason in refused)]), name)
    raise SandboxUnavailable("; ".join(refused))


def _try_out(opened: Callable[..., Guest], libraries: Sequence[Library]) -> str:
    """Return the name of the device that guests compute on, once they have shown that they are shut in."""
    names = [_demand_honest_answer(library, opened) for library in libraries]
    _demand_end_of_endless_loop(libraries[0], opened)
    _demand_closed_doors(libraries[0], opened)
    return names[-1]


def refuse_closed_folders(shown: Interpreter, *, libraries: Sequence[Library], uid: int) -> None:
    """Raise SandboxUnavailable, naming the folder, if the sandbox's account cannot reach what guests are shown."""
    needed = [(shown.executable, _ENTER_OR_RUN), *((folder, _ENTER_OR_RUN) for folder in shown.library)]
    for library in libraries:
        package = shown.site_packages / _PACKAGES[library]
        if not package.is_dir():
            raise SandboxUnavailable(f"{package.name} is not installed in {shown.site_packages}")
        needed += [(package, _ENTER_OR_RUN), (package / "__init__.py", _READ)]
    closed = _first_closed(needed, uid)
    if closed is not None:
        who = f"uid {uid if os.geteuid() == 0 else os.geteuid()}"
        raise SandboxUnavailable(
            f"{closed} is closed to {who}, the account of the sandbox: open it (chmod o+x, for a file o+r), or move "
            f"what lies below it to a place that every account may enter, such as /opt or /srv"
        )


def _demand_honest_answer(library: Library, opened: Callable[..., Guest]) -> str:
    given = Array("float64", (2,), struct.pack("<2d", 1.5, -2.0))
    expected = struct.pack("<2d", 3.0, -4.0)
    with opened(source=_HONEST, filename="probe.py", library=library, limits=Limits()) as guest:
        # The first call of a library may load more of it, and a busy machine is no reason to refuse.
        reply = guest.call("double", [given], wall_seconds=10.0)
        if not isinstance(reply, Returned) or [output.data for output in reply.outputs] != [expected]:
            raise SandboxUnavailable(f"an honest {library} program did not come through its sandbox: {reply}")
        return guest.device_name


def _demand_end_of_endless_loop(library: Library, opened: Callable[..., Guest]) -> None:
    given = Array("float64", (1,), bytes(8))
    with opened(source=_ENDLESS, filename="probe.py", library=library, limits=Limits()) as guest:
        reply = guest.call("double", [given], wall_seconds=_ENDLESS_SECONDS)
        if not isinstance(reply, Died) or reply.cause is not Cause.TIME:
            raise SandboxUnavailable(f"an endless loop was not ended: {reply}")


def _demand_closed_doors(library: Library, opened: Callable[..., Guest]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.setblocking(False)
        port = int(listener.getsockname()[1])
        forbidden = str(Path(__file__).resolve().parents[2])
        with opened(source=_PRYING, filename="probe.py", library=library, limits=Limits()) as guest:
            reply = guest.call("pry", [port, forbidden], wall_seconds=10.0)
        if not isinstance(reply, Returned):
            raise SandboxUnavailable(f"the sandbox does not shut its guest in: {reply}")
        try:
            listener.accept()
        except BlockingIOError:
            return
        raise SandboxUnavailable("the sandbox does not shut its guest in: it reached the network")


def _first_closed(needed: Iterable[tuple[Path, str]], uid: int) -> Path | None:
    """Return the first of these, or of the folders on the way to them, that the account cannot use as it must."""
    asked: dict[tuple[Path, str], bool] = {}
    for path, use in needed:
        way = [(folder, _ENTER_OR_RUN) for folder in reversed(path.resolve().parents)]
        for step in (*way, (path.resolve(), use)):
            if step not in asked:
                asked[step] = _is_open(*step, uid)
            if not asked[step]:
                return step[0]
    return None


def _is_open(path: Path, use: str, uid: int) -> bool:
    """Ask the kernel, by a process of that account: permission bits alone would miss access lists and mounts."""
    test = shutil.which("test", path="/usr/bin:/bin")
    if test is None:
        raise SandboxUnavailable("the program test is missing; on Debian: apt-get install coreutils")
    try:
        asked = subprocess.run((test, use, str(path)), env={}, cwd="/", check=False, **account(uid))  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        raise SandboxUnavailable(f"no program can be started under uid {uid}: {error}") from error
    return asked.returncode == 0
