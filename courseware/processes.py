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
# Nobody is told of a wait that is over before they wonder.
QUIET_SECONDS = 2.0

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
    """Runs programs until it is told to stop; then those of one stage end together before the next are asked to."""

    def __init__(self, stages: Sequence[Sequence[Program]], *, say: Say) -> None:
        self._stages = [[_Child(program, say) for program in stage] for stage in stages]
        self._children = {child.name: child for stage in self._stages for child in stage}
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
        for stage in self._stages:
            for child in stage:
                child.ask_to_end()
            asked_at = time.monotonic()
            told = False
            while waiting := [child for child in stage if child.is_awaited(time.monotonic() - asked_at)]:
                if self._signals > 1:
                    break
                if not told and time.monotonic() - asked_at > QUIET_SECONDS:
                    names = ", ".join(child.name for child in waiting)
                    longest = max(child.patience_seconds for child in waiting)
                    self._say(f"Waiting for {names}, {longest:.0f} s at most; Ctrl-C again ends at once.")
                    told = True
                time.sleep(TICK_SECONDS / 4)
            for child in stage:
                child.end()


_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class _Child:
    def __init__(self, program: Program, say: Say) -> None:
        self.name = program.name
        self.patience_seconds = program.patience_seconds
        self._program = program
        self._say = say
        self._process: subprocess.Popen[bytes] | None = None
        self._reader: threading.Thread | None = None
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
        self._reader = threading.Thread(target=self._pass_on, args=(self._process,), daemon=True)
        self._reader.start()

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

    def ask_to_end(self) -> None:
        self._due_at = None
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)

    def is_awaited(self, waited_seconds: float) -> bool:
        return self._process is not None and self._process.poll() is None and waited_seconds < self.patience_seconds

    def end(self) -> None:
        """Leave nobody behind: Beat, say, would go on unsupervised when the worker that started it is killed."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError):  # it left nobody
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        if self._reader is not None:
            self._reader.join(timeout=1)  # its last words come before what is said of its end

    def _ended(self, status: int) -> None:
        self.end()
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
        self._say(f"{self.name} {how}; it starts again in {self._wait_seconds:.0f} s.")
        self._due_at = time.monotonic() + self._wait_seconds
        self._wait_seconds = min(self._wait_seconds * 2, LONGEST_WAIT_SECONDS)

    def _pass_on(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        with process.stdout as stream:
            for line in stream:
                text = line.decode(errors="replace").rstrip()
                if text:
                    # A line that is an object of its own (LOG_FORMAT=json) would be none with a word before it.
                    self._say(text if text.startswith("{") else f"[{self.name}] {text}")


def _end_with_parent() -> tuple[str, ...]:
    """Return the words before a command that let the kernel end it when the supervisor is killed outright."""
    setpriv = shutil.which("setpriv")
    return (setpriv, "--pdeathsig", "TERM", "--") if setpriv else ()
