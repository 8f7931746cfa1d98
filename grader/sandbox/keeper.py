"""Keeps a supervisor running beside a judge, and asks it for guests.

Owns the supervisor's process and the socket that it listens on. The socket stays when the process is replaced, so
whoever asks meanwhile waits for the next one. It must not know what guests are for.
"""

import logging
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence

from grader.log_lines import Format
from grader.sandbox.bubblewrap import PROJECT
from grader.sandbox.cell import Cell
from grader.sandbox.devices import Device
from grader.sandbox.nursery import TAKE_SECONDS, Library
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.rungs import Rung
from grader.sandbox.supervisor import ANSWER_BYTES, GUEST, REFUSAL

_PAUSE_SECONDS = 1.0  # before a supervisor that ended is replaced, so that one that cannot start does not fill the log
_PATIENCE_SECONDS = 10.0  # for a supervisor to end its guests when it is told to stop
_BACKLOG = 64  # askers at once; a judge has a few workers
_DESCRIPTORS = 4  # of a cell

logger = logging.getLogger(__name__)


class Keeper:
    """A supervisor that is there from `start` to `stop`, whatever becomes of its process."""

    def __init__(
        self,
        *,
        uid: int,
        libraries: Sequence[Library],
        log_format: Format,
        rung: Rung = Rung.BUBBLEWRAP,
        device: Device = Device.CPU,
    ) -> None:
        self._arguments = (str(uid), ",".join(libraries), rung.value, device.value, log_format)
        self._address = ""
        self._process: subprocess.Popen[bytes] | None = None
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None

    @property
    def pid(self) -> int:
        """The supervisor's process now, 0 between two."""
        return self._process.pid if self._process is not None else 0

    def start(self) -> None:
        folder = tempfile.mkdtemp(prefix="judge-")  # closed to other accounts
        self._address = f"{folder}/guests"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(self._address)
        listener.listen(_BACKLOG)
        self._thread = threading.Thread(target=self._run, args=(listener, folder), name="keeper", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the supervisor and its guests; harmless when it was never started."""
        self._stopped.set()
        if self._process is not None:
            self._process.terminate()
        if self._thread is not None:
            self._thread.join(_PATIENCE_SECONDS)

    def take(self, seconds: float = TAKE_SECONDS) -> Cell:
        """Return a guest that is ready; SandboxUnavailable, with the reason, if there is none so soon."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as asking:
                asking.settimeout(left)
                try:
                    asking.connect(self._address)
                    said, descriptors, _, _ = socket.recv_fds(asking, ANSWER_BYTES, _DESCRIPTORS)
                except TimeoutError:
                    break
                except OSError:
                    said, descriptors = b"", []
            if said[:1] == GUEST and len(descriptors) == _DESCRIPTORS:
                return Cell.from_descriptors(descriptors, int(said[1:]))
            if said[:1] == REFUSAL:
                raise SandboxUnavailable(said[1:].decode(errors="replace"))
            time.sleep(0.05)  # the supervisor ended while it was asked; the next one is on its way
        raise SandboxUnavailable(f"no guest was ready within {seconds:g} s")

    def _run(self, listener: socket.socket, folder: str) -> None:
        command = [sys.executable, "-m", "grader.sandbox.supervisor", str(listener.fileno()), *self._arguments]
        while not self._stopped.is_set():
            self._process = subprocess.Popen(  # noqa: S603 - this program itself
                command, cwd=PROJECT, stdin=subprocess.DEVNULL, pass_fds=(listener.fileno(),)
            )
            code = self._process.wait()
            if not self._stopped.is_set():
                logger.error("the supervisor of the sandbox ended with code %d; another one follows", code)
                self._stopped.wait(_PAUSE_SECONDS)
        listener.close()
        shutil.rmtree(folder, ignore_errors=True)
