"""`manage.py up` in a process of its own: started, listened to and stopped as an operator would do it."""

import os
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

from tests.processes import descendants

ROOT = Path(__file__).resolve().parents[1]
START_SECONDS = 120  # eight programs one after the other, five seconds on an idle machine, minutes on a busy one
STOP_SECONDS = 90  # a judge may finish what it judges


def environment(var_path: Path, **settings: str) -> dict[str, str]:
    """Return what a site's commands are told: these settings, and no other from the tests' own or from `.env`."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    # An empty value means the default.
    names = re.findall(r"^#([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    return {**kept, **dict.fromkeys(names, ""), "VAR_PATH": str(var_path), **settings}


class Up:
    """A site that is starting, runs or has ended."""

    def __init__(self, var_path: Path, **settings: str) -> None:
        self.lines: list[str] = []
        self.var_path = var_path
        self.environment = environment(var_path, **settings)
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def address(self) -> str:
        """Return where the site answers, as soon as it does."""
        return self.wait_for(r"The site answers at (\S+)")[1]

    def wait_for(self, pattern: str) -> re.Match[str]:
        """Return what the first line says that fits; AssertionError if none does in time, or before the end."""

        deadline = time.monotonic() + START_SECONDS
        while True:
            is_over = time.monotonic() > deadline or not self._reader.is_alive()
            if found := next((found for line in list(self.lines) if (found := re.search(pattern, line))), None):
                return found
            assert not is_over, f"{pattern!r} was not said:\n" + "\n".join(self.lines)
            time.sleep(0.1)

    def children(self) -> set[int]:
        """Return every process that descends from the supervisor."""
        return descendants(self.process.pid)

    def interrupt(self) -> int:
        """Stop the site as Ctrl-C does; return its status."""
        self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(timeout=STOP_SECONDS)
        finally:
            self.process.kill()  # its programs end with it
            self._reader.join(timeout=5)

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout as stream:
            self.lines.extend(line.rstrip() for line in stream)
