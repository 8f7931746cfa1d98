"""Real servers for tests: PostgreSQL and Redis on free ports, each in a folder of its own, gone when the block ends."""

import contextlib
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg

from tests.small_disks import SmallDisk

START_SECONDS = 30
# Below the ports that the kernel hands out to whoever connects: one of those could be gone before a server is up.
_FIRST_PORT, _PORTS = 20_000, 12_000
_numbers = itertools.count(os.getpid() * 101)  # each process of a run begins elsewhere, and none asks for one twice


class ServerMissing(Exception):
    """A server program is not installed; a test that needs it is skipped with this message."""


@contextlib.contextmanager
def postgresql(
    disk: Callable[[Path, str], contextlib.AbstractContextManager[SmallDisk]] | None = None,
) -> Iterator[str]:
    """Yield the DATABASE_URL of an empty PostgreSQL; `disk` mounts one for its tables, given folder and account.

    Errors:  ServerMissing if it is not installed
    """
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not programs:
        raise ServerMissing("postgresql is not installed")
    bin_folder = programs[-1].parent
    # PostgreSQL refuses to run as root; Debian's package made this account for it.
    account = "postgres" if os.geteuid() == 0 else None
    port = free_port()
    with _folder(account) as folder, contextlib.ExitStack() as mounts:
        cluster = folder / "cluster"
        cluster.mkdir()
        words = _as(account)
        if disk is not None:
            words = [*mounts.enter_context(disk(cluster, account or "")).words(folder), *words]
        elif account is not None:
            shutil.chown(cluster, account)
        initdb = [str(bin_folder / "initdb"), "-D", str(cluster), "-U", "courseware", "-A", "trust", "-N", "-E", "UTF8"]
        # Its log beside its tables, as on a disk of its own: without room for that a server stops until there is some.
        initdb += ["--waldir", str(folder / "log of changes")]
        subprocess.run([*words, *initdb], check=True, capture_output=True, cwd=folder)
        # Durability costs time, and nobody reads this cluster after a crash.
        options = ["-h", "127.0.0.1", "-p", str(port), "-k", str(folder), "-c", "fsync=off"]
        with _running([*words, str(bin_folder / "postgres"), "-D", str(cluster), *options], folder):
            _until(lambda: _connects(port) and _accepts(f"postgresql://courseware@127.0.0.1:{port}/postgres"), folder)
            with psycopg.connect(f"postgresql://courseware@127.0.0.1:{port}/postgres", autocommit=True) as connection:
                connection.execute("CREATE DATABASE courseware")
            yield f"postgresql://courseware@127.0.0.1:{port}/courseware"


@contextlib.contextmanager
def redis(
    acl_file: Path | None = None,
    *,
    port: int | None = None,
    script: Path | None = None,
    environment: dict[str, str] | None = None,
) -> Iterator[str]:
    """Yield the BROKER_URL of an empty Redis, which obeys an access list if one is given.

    `port` is where one stood that ended before. `script`, with `environment`, starts it in Redis's place, as the
    product's own image does.

    Errors:  ServerMissing if it is not installed
    """
    program = shutil.which("redis-server")
    if program is None:
        raise ServerMissing("redis-server is not installed")
    program = str(script or program)
    port = port or free_port()
    options = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no"]
    if acl_file is not None:
        options += ["--aclfile", str(acl_file)]
    command = [*_as(None), program, *options, "--dir"]
    with _folder() as folder, _running([*command, str(folder)], folder, environment):
        _until(lambda: _connects(port), folder)
        yield f"redis://127.0.0.1:{port}/0"


def free_port() -> int:
    """Return a port that nobody has, and that no other process running tests is about to take."""
    while True:
        port = _FIRST_PORT + next(_numbers) % _PORTS
        with contextlib.suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


@contextlib.contextmanager
def _folder(owner: str | None = None) -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="courseware-server-"))
    if owner is not None:
        os.chown(path, pwd.getpwnam(owner).pw_uid, -1)
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def _running(command: list[str], folder: Path, environment: dict[str, str] | None = None) -> Iterator[None]:
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
        )
    try:
        yield
    finally:
        process.terminate()
        try:
            # PostgreSQL waits for its clients on TERM; whoever still holds a connection after this is cut off.
            process.wait(timeout=3)
        except subprocess.TimeoutExpired:
            process.send_signal(2)
            process.wait(timeout=START_SECONDS)


def _as(account: str | None) -> list[str]:
    """Return the words before a command that give it an account and end it with the tests, however those end."""
    words = ["setpriv", "--pdeathsig", "INT"]
    return words if account is None else [*words, "--reuid", account, "--regid", account, "--init-groups"]


def _until(is_ready: Callable[[], bool], folder: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not is_ready():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not up after {START_SECONDS} s:\n{(folder / 'log').read_text()}")
        time.sleep(0.05)


def _connects(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _accepts(url: str) -> bool:
    try:
        psycopg.connect(url).close()
    except psycopg.OperationalError:  # "the database system is starting up"
        return False
    return True
