"""Where `gpucheck` tries its programs: the best way to shut them in that this machine has, or none, on one device.

Owns the nursery and the clock of its start. It must not know what is tried, nor what counts as good.
"""

import shutil
import subprocess
import time
from collections.abc import Callable
from functools import partial

from grader.judge.folders import Bench
from grader.judge.judging import judge
from grader.sandbox.cell import Cell
from grader.sandbox.devices import Device
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Library, Nursery
from grader.sandbox.probe import find_rung
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.rungs import Rung
from grader.sandbox.runner import Guest, open_guest
from grader.verdicts import Verdict

LIBRARIES: tuple[Library, ...] = ("numpy", "pytorch")


class Stage:
    """Opens guests for programs of ours; close it."""

    def __init__(self, device: Device, uid: int) -> None:
        self.device, self._uid = device, uid
        self.rung, self.reason = Rung.FILTER, ""
        self.cold_seconds = 0.0  # from nothing to a guest that has answered its first call
        self._nursery: Nursery | None = None

    @property
    def is_shut_in(self) -> bool:
        return self.rung is not Rung.FILTER

    def find_rung(self) -> None:
        """Stand on the best rung that holds here, and on none where none does: the programs are ours."""
        try:
            found = find_rung(libraries=LIBRARIES, uid=self._uid, supply=self._start, device=self.device)
            self.rung, self.reason = found.rung, found.reason
        except SandboxUnavailable as unavailable:
            self.reason = unavailable.reason
            self._start(Rung.FILTER)

    def take(self) -> Cell:
        """Return a guest that is ready."""
        if self._nursery is None:
            raise SandboxUnavailable("nothing was started")
        return self._nursery.take()

    def open(self, source: str, *, wall_seconds: float = 10.0, cell: Cell | None = None) -> Guest:
        """Return a guest around a program, in this cell if one is given."""
        return open_guest(
            source=source,
            filename="trial.py",
            library="pytorch",
            limits=Limits(wall_seconds=wall_seconds),
            take=self.take if cell is None else lambda: cell,
            device=self.device,
        )

    def judge(self, bench: Bench, source: str, *, cell: Cell | None = None, asked: Device | None = None) -> Verdict:
        """Return the verdict on a source, in this cell if one is given; `asked` is the device that is asked for."""
        take = self.take if cell is None else lambda: cell
        return judge(bench, source, seed=1, opener=partial(open_guest, take=take, device=asked or self.device))

    def on_the_cpu(self) -> "Stage":
        """Return a stage whose guests compute on the CPU, whatever is asked of them; close it too."""
        other = Stage(Device.CPU, self._uid)
        other.rung = self.rung
        other._start(self.rung)
        return other

    def close(self) -> None:
        if self._nursery is not None:
            self._nursery.close()
            self._nursery = None

    def _start(self, rung: Rung) -> Callable[[], Cell]:
        self.close()
        began = time.monotonic()
        self._nursery = Nursery(uid=self._uid, libraries=LIBRARIES, rung=rung, device=self.device)
        self._nursery.take().discard()
        self.cold_seconds = time.monotonic() - began
        return self.take


def asked_of_driver(what: str) -> str:
    """Return what the driver says of the first device, such as its `memory.used` in MiB; SandboxUnavailable if not."""
    program = shutil.which("nvidia-smi")
    if program is None:
        raise SandboxUnavailable("nvidia-smi is not on the path")
    command = (program, f"--query-gpu={what}", "--format=csv,noheader,nounits")
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)  # noqa: S603 - no word of a learner's
    if done.returncode != 0 or not done.stdout.strip():
        raise SandboxUnavailable(f"nvidia-smi: {(done.stderr or done.stdout).strip()[:200]}")
    return done.stdout.splitlines()[0].strip()
