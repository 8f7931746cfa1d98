"""Where hostile programs are run for real, and where what they wanted is looked for from outside.

`Arena` is a machine worth attacking: it holds secrets, listeners, folders that all may write to, and a bystander.
`perform` runs one attack and returns which effects happened; none should.
"""

import functools
import os
import re
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.judge.judging import judge
from grader.sandbox.devices import Device
from grader.sandbox.filters import syscall_number
from grader.sandbox.limits import MEBIBYTE, Limits
from grader.sandbox.nursery import Nursery
from grader.sandbox.replies import CallReply, Died, Returned, SandboxUnavailable
from grader.sandbox.rungs import Rung
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, Guest, open_guest
from grader.verdicts import Outcome
from tests.attacks.catalogue import FOLDER, Attack, text_of
from tests.attacks.looking import LOOKER, MARK_PATTERN
from tests.attacks.watching import SLACK_SECONDS, Watch, computing, ends_soon, namespace_of, resident_now, resident_peak
from tests.judge.benches import attention
from tests.sandbox.guests import at_rest, floats, values_of

PROJECT = FOLDER.parents[1]
SECRET = "a-secret-of-the-judge-93417"  # in an environment, an open file, readable files and other learners' sources
FORGED = (42.0,)  # as frames.py forges it
LEFT = "written-by-a-guest"
MEMORY_BYTES = 128 * MEBIBYTE
HELD_BYTES = 32 * MEBIBYTE  # what a judge may grow by: twice the largest result


@dataclass(frozen=True)
class Aftermath:
    """What became of an attack: how its first call ended, and which effects happened, each with what was seen."""

    ends: str
    happened: dict[str, str]


class Arena:
    """Secrets, listeners, folders and a bystander, for attacks on the guests that `take` gives."""

    def __init__(self, begin: Callable[[Path], Nursery]) -> None:
        self.bystander: Guest | None = None
        with ExitStack() as stack:  # closed here if anything fails
            self.folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/var/tmp")))
            self.folder.chmod(0o777)
            secret_file = self.folder / "secret.key"
            secret_file.write_text(SECRET)
            os.set_inheritable(stack.enter_context(secret_file.open()).fileno(), True)
            self._listeners = [*self._listen(stack)]
            environment = os.environ | {"SECRET_KEY": SECRET, "BROKER_URL": f"redis://:{SECRET}@127.0.0.1"}
            with replaced(os.environ, environment):  # a zygote is started where there are secrets
                self.nursery = begin(self.folder)
                stack.callback(self.nursery.close)
                self.nursery.take().discard()
            self._stack = stack.pop_all()
        self.world = {
            "port": self._listeners[0].getsockname()[1],
            "abstract": self._listeners[2].getsockname()[1:].decode(),
            "socket": self._listeners[3].getsockname(),
            "folders": [str(self.folder)],
            "secret_files": [str(secret_file), str(PROJECT), str(PROJECT / "pyproject.toml")],
            "secret_pattern": SECRET[:-1] + "[7]",
            "processes": [os.getpid(), self.nursery.zygote_pid],
        }
        self._null_mode = Path("/dev/null").stat().st_mode

    def close(self) -> None:
        if self.bystander is not None:
            self.bystander.close()
        self._stack.close()

    def at_rest(self) -> tuple[list[int], int]:
        """Return this process's children and how many files it has open, when no guest is on its way."""
        self._prepare()
        return at_rest(self.nursery)

    def open(self, source: str, **limits: Any) -> Guest:
        return open_guest(
            source=source, filename="solution.py", library="numpy", limits=Limits(**limits), take=self.nursery.take
        )

    def perform(self, attack: Attack, **limits: Any) -> Aftermath:
        """Run an attack and look for every effect; `limits` stand in for the attack's own."""
        self._prepare()
        source = self._source(attack)
        happened: dict[str, str] = {}
        held_before = resident_now()
        limits = {"wall_seconds": 10.0, "memory_bytes": MEMORY_BYTES, **attack.limits, **limits}
        with self.open(source, **limits) as opened, namespace_of(opened.pid) as members:
            watch = Watch(opened.pid)
            with watch.sampling():
                began = time.monotonic()
                first = opened.call(attack.name, [floats(1)])
                seconds = time.monotonic() - began
                if attack.effect == "computes on":
                    happened |= computing(opened.pid)
                second = opened.call("honest", [floats(5)])
            opened.close()
            if not ends_soon(members):
                happened["outlives"] = str(members())
            printed = opened.output()
        if seconds > attack.limits.get("wall_seconds", limits["wall_seconds"]) + SLACK_SECONDS:
            happened["held up"] = f"{seconds:.1f} s"
        happened |= watch.excess(Limits(**limits))
        held = resident_peak() - held_before
        if held > HELD_BYTES or len(printed.head) > Limits().output_bytes:
            happened["held in memory"] = f"{held >> 20} MiB, {len(printed.head)} bytes printed"
        said = printed.head.decode(errors="replace")
        if obtained := re.findall(r"(?m)^GOT .{0,60}", said):
            happened["obtained"] = "; ".join(obtained[:5])
        if SECRET in said or SECRET in repr(first):
            happened["secrets"] = said[:200]
        if any(
            isinstance(reply, Returned) and any(shown(one) == FORGED for one in reply.outputs)
            for reply in (first, second)
        ):
            happened["believed"] = repr(second)
        happened |= self._what_is_left() | self._who_was_reached()
        try:
            happened |= self._what_the_next_sees(attack)
        except SandboxUnavailable as unavailable:
            happened["victims"] = unavailable.reason
        if attack.group in ("objects", "results"):
            happened |= self._whether_it_passes(attack, source)
        return Aftermath(ending(first), happened)

    def _source(self, attack: Attack) -> str:
        text = text_of(attack.group)
        names = {name for name in re.findall(r'"([a-z_0-9]+)"', text) if syscall_number(name) >= 0}
        world = self.world | {"calls": {name: syscall_number(name) for name in names}, "attack": attack.name}
        return text.replace("WORLD = {}", f"WORLD = {world!r}", 1)

    def _prepare(self) -> None:
        """Put a bystander in, and let an earlier learner have been here."""
        if self.bystander is None:
            source = f"secret = {SECRET!r}\ndef double(x):\n    return x * 2\n"
            with self.open(source) as earlier:
                earlier.load()
            self.bystander = self.open(source, total_seconds=3600.0)
            self.bystander.load()

    def _what_is_left(self) -> dict[str, str]:
        happened = {}
        places = [self.folder, Path("/tmp"), Path("/var/tmp"), Path("/dev/shm"), PROJECT, Path("/"), Path("/dev")]
        left = [path for place in places for path in place.glob(f"{LEFT}*")]
        if left:
            happened["files left"] = ", ".join(map(str, left))
            for path in left:
                path.rmdir() if path.is_dir() else path.unlink()
        if Path("/dev/null").stat().st_mode != self._null_mode:
            Path("/dev/null").chmod(self._null_mode & 0o7777)
            happened["files left"] = "the mode of /dev/null"
        return happened

    def _what_the_next_sees(self, attack: Attack) -> dict[str, str]:
        """Ask the bystander, and then a guest; where an attack aims at it, one that was forked afterwards."""
        happened = {}
        assert self.bystander is not None
        reply = self.bystander.call("double", [floats(1)])
        if not isinstance(reply, Returned) or values_of(reply.outputs[0]) != (2,):
            happened["victims"] = str(reply)
            self.bystander.close()
            self.bystander = None
        pattern = ""
        if attack.effect == "next guest":
            pattern = MARK_PATTERN
            for _ in range(Device.CPU.kept_ready):
                self.nursery.take().discard()
        with self.open(LOOKER) as looker:
            reply = looker.call("look", [floats(1), pattern], wall_seconds=10.0)
            if not isinstance(reply, Returned) or values_of(reply.outputs[0]) != (2,):
                happened["next guest"] = str(reply)
        return happened

    def _who_was_reached(self) -> dict[str, str]:
        happened = {}
        for listener in self._listeners:
            with suppress(BlockingIOError):
                if listener.type == socket.SOCK_DGRAM:
                    listener.recv(100)
                else:
                    listener.accept()[0].close()
                happened["network"] = str(listener.getsockname())
        return happened

    def _whether_it_passes(self, attack: Attack, source: str) -> dict[str, str]:
        """Hand the attack in to an exercise, as a learner would."""
        opener = functools.partial(open_guest, take=self.nursery.take)
        verdict = judge(attention(), f"{source}\nattention = {attack.name}\n", seed=1, opener=opener)
        passed = (Outcome.RIGHT, Outcome.FRAGILE)
        blamed = (Outcome.OPERATOR, Outcome.BROKEN_EXERCISE)
        if verdict.outcome in passed + blamed:
            return {"passes": f"{verdict.outcome} {verdict.reason}"}
        return {}

    def _listen(self, stack: ExitStack) -> Iterator[socket.socket]:
        stream, datagram = socket.SOCK_STREAM, socket.SOCK_DGRAM
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        addresses: list[tuple[int, int, Any]] = [
            (socket.AF_INET, datagram, tcp.getsockname()),
            (socket.AF_UNIX, stream, f"\0attacked-{os.getpid()}-{id(self)}".encode()),
            (socket.AF_UNIX, stream, str(self.folder / "socket")),
        ]
        tcp.setblocking(False)
        yield tcp
        for family, kind, address in addresses:
            bound = stack.enter_context(socket.socket(family, kind))
            bound.bind(address)
            bound.setblocking(False)
            if kind == stream:
                bound.listen()
            yield bound
        (self.folder / "socket").chmod(0o777)


def ending(reply: CallReply) -> str:
    return reply.cause.value if isinstance(reply, Died) else type(reply).__name__.lower()


def shown(output: Any) -> tuple[float, ...]:
    return values_of(output) if output.dtype == "float64" else ()


@contextmanager
def replaced(mapping: Any, values: dict[str, str]) -> Iterator[None]:
    before = dict(mapping)
    mapping.update(values)
    try:
        yield
    finally:
        for name in values.keys() - before.keys():
            del mapping[name]
        mapping.update(before)


def begin_nursery(_: Path, rung: Rung = Rung.BUBBLEWRAP) -> Nursery:
    """Begin what guests are forked from."""
    return Nursery(uid=DEFAULT_SANDBOX_UID, libraries=("numpy",), rung=rung)
