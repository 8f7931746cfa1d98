"""Keeps a handful of programs running and stops them in order. Knows nothing of Django nor of what they do.

Only the main thread starts programs: the kernel ties "end with your parent" to the thread that started a child.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

TICK_SECONDS = 0.2
FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
# Whoever ran this long was healthy: its next end is news, not the next in a row.
HEALTHY_SECONDS = 60.0

Say = Callable[[str], None]


@dataclass(frozen=True)
class Program:
    """Something that shall always run, or with `once` an errand that ends by itself."""

    name: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    folder: Path
    patience_seconds: float = 10.0
    once: Callable[[bool], None] | None = None


class Supervisor:
    """Runs programs until it is told to stop; the order in which they are given is the order in which they stop."""

    def __init__(self, programs: Sequence[Program], *, say: Say) -> None:
        self._children = {program.name: _Child(program, say) for program in programs}
        self._say = say
        self._signals = 0

    def start(self, name: str) -> None:
        self._children[name].start()

    def restart(self, name: str) -> None:
        """Ask a program to end when its work is done, and start it again then."""
        self._children[name].restart()

    def stop(self) -> None:
        """Leave `run` at the next tick, as a signal would."""
        self._signals += 1

    def run(self, each_tick: Callable[[], None]) -> None:
        """Return after SIGINT, SIGTERM or SIGHUP, when every program has ended; a second signal ends them at once."""
        before = {number: signal.signal(number, self._heed) for number in _STOPPING}
        try:
            while not self._signals:
                for child in self._children.values():
                    child.look()
                each_tick()
                time.sleep(TICK_SECONDS)
            self._say("Stopping.")
        finally:
            self._stop_all()
            for number, handler in before.items():
                signal.signal(number, handler)

    def _heed(self, number: int, frame: object) -> None:  # noqa: ARG002
        self._signals += 1

    def _stop_all(self) -> None:
        for child in self._children.values():
            child.stop(in_a_hurry=lambda: self._signals > 1)


_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Child:
    def __init__(self, program: Program, say: Say) -> None:
        self._program = program
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._due_at: float | None = None
        self._wait_seconds = FIRST_WAIT_SECONDS
        self._end_is_wanted = False

    def start(self) -> None:
        if self._process is not None:
            return
        program = self._program
        # A session of its own: Ctrl-C on the terminal reaches the supervisor alone, which stops the others in order.
        self._process = subprocess.Popen(  # noqa: S603  (every command is built by this product)
            [*_end_with_parent(), *program.command],
            cwd=program.folder,
            env=dict(program.environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        self._started_at = time.monotonic()
        self._due_at = None
        threading.Thread(target=self._pass_on, args=(self._process,), daemon=True).start()

    def restart(self) -> None:
        if self._process is None:
            self.start()
            return
        self._end_is_wanted = True
        self._process.send_signal(signal.SIGTERM)

    def look(self) -> None:
        """Notice an end; start again when it is time."""
        if self._process is not None and self._process.poll() is not None:
            self._ended(self._process.returncode)
        if self._due_at is not None and time.monotonic() >= self._due_at:
            self.start()

    def stop(self, *, in_a_hurry: Callable[[], bool]) -> None:
        self._due_at = None
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        asked_at = time.monotonic()
        told = False
        while self._process.poll() is None and not in_a_hurry():
            waited = time.monotonic() - asked_at
            if waited > self._program.patience_seconds:
                break
            if waited > 2 and not told:
                limit = self._program.patience_seconds
                self._say(f"Waiting for {self._program.name}, {limit:.0f} s at most; Ctrl-C again ends it at once.")
                told = True
            time.sleep(0.05)
        self._end_group()

    def _ended(self, status: int) -> None:
        self._end_group()
        if self._program.once is not None:
            self._program.once(status == 0)
            return
        if self._end_is_wanted:
            self._end_is_wanted = False
            self.start()
            return
        if time.monotonic() - self._started_at > HEALTHY_SECONDS:
            self._wait_seconds = FIRST_WAIT_SECONDS
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        self._say(f"{self._program.name} {how}; it starts again in {self._wait_seconds:.0f} s.")
        self._due_at = time.monotonic() + self._wait_seconds
        self._wait_seconds = min(self._wait_seconds * 2, LONGEST_WAIT_SECONDS)

    def _end_group(self) -> None:
        # What a killed program leaves behind, Beat beside its worker for one, would work on unsupervised.
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):  # it left nobody
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def _pass_on(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        for line in process.stdout:
            text = line.decode(errors="replace").rstrip()
            if text:
                self._say(f"[{self._program.name}] {text}")


def _end_with_parent() -> tuple[str, ...]:
    """Return the words before a command that let the kernel end it when the supervisor is killed outright."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "TERM", "--") if setpriv else ()
