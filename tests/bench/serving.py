"""A gunicorn as the product starts it, for measurements, and the processor time that it took."""

import http.client
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# Which way somebody signed in is kept in the session, and a session that names another is not believed.
BACKEND = "allauth.account.auth_backends.AuthenticationBackend"
CSRF = "c" * 32  # what a browser of ours sends in its cookie and its forms

_ROOT = Path(__file__).parents[2]
_START_SECONDS = 60  # ten times what it takes on a busy machine


@contextmanager
def served(port: int, *more: str) -> Iterator[int]:
    """Serve the site of the environment's settings with two workers of four threads; yield the arbiter's process id."""
    options = ["--worker-class", "gthread", "--workers", "2", "--threads", "4", "--no-control-socket", *more]
    command = [sys.executable, "-m", "gunicorn", "--bind", f"127.0.0.1:{port}", *options, "--log-level", "warning"]
    process = subprocess.Popen([*command, "courseware.wsgi"], cwd=_ROOT, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + _START_SECONDS
        while not _answers(port):
            if time.monotonic() > deadline:
                raise TimeoutError("gunicorn does not answer")
            time.sleep(0.1)
        yield process.pid
    finally:
        process.terminate()
        process.wait(30)


def cpu_seconds(server: int) -> float:
    """Return the processor time that the server's workers have had, every thread counted."""
    workers = Path(f"/proc/{server}/task/{server}/children").read_text().split()
    counts = [path.read_text() for worker in workers for path in Path(f"/proc/{worker}/task").glob("*/schedstat")]
    return sum(int(count.split()[0]) for count in counts) / 1e9


def _answers(port: int) -> bool:
    try:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        connection.request("GET", "/bench/bare/")
        return connection.getresponse().status == 200
    except OSError:
        return False
