"""Disks of a few megabytes, for programs that are to meet a full one: real mounts, in a namespace that ends with them.

Root mounts by its own right. Anybody else does it in a user namespace of their own, where the kernel allows that.
"""

import contextlib
import functools
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

_PIECE_BYTES = 1 << 16
_OWN_NAMESPACE = [] if os.geteuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
_UNSHARE = ["unshare", *_OWN_NAMESPACE, "--mount"]


class SmallDisk:
    """A disk that is there for the programs whose command begins with `words`, and can be filled from outside."""

    def __init__(self, folder: Path, keeper: "subprocess.Popen[str]") -> None:
        self._keeper = keeper
        self._filler = Path(f"/proc/{keeper.pid}/root{folder}/filler")

    def words(self, folder: Path) -> list[str]:
        """Return the words before a command that let it see the disk and begin in a folder."""
        entered = ["--mount"] if os.geteuid() == 0 else ["--user", "--preserve-credentials", "--mount"]
        return ["nsenter", "--target", str(self._keeper.pid), *entered, "env", "--chdir", str(folder)]

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        """Leave not a byte free in the block."""
        self.fill()
        try:
            yield
        finally:
            self._filler.unlink()

    def fill(self) -> None:
        with self._filler.open("ab", buffering=0) as stream:
            for size in (_PIECE_BYTES, 1):  # the file system gives whole pages away; the last one byte by byte
                with contextlib.suppress(OSError):
                    while stream.write(bytes(size)):
                        pass


@contextlib.contextmanager
def small_disk(folder: Path, *, megabytes: int, owner: str = "") -> Iterator[SmallDisk]:
    """Mount a disk over a folder, for whoever enters its namespace; `can_mount` says whether that goes here."""
    options = f"size={megabytes}m,mode=0700" + (f",uid={owner},gid={owner}" if owner else "")
    with _keeper(f'mount -t tmpfs -o {options} tmpfs "$0" && echo up && exec sleep infinity', folder) as keeper:
        assert keeper.stdout is not None
        assert keeper.stdout.readline() == "up\n"
        yield SmallDisk(folder, keeper)


@contextlib.contextmanager
def _keeper(script: str, folder: Path) -> "Iterator[subprocess.Popen[str]]":
    """Run a script in namespaces of its own; they end with it, and it ends with the tests."""
    with subprocess.Popen(
        ["setpriv", "--pdeathsig", "KILL", *_UNSHARE, "sh", "-c", script, str(folder)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    ) as keeper:
        try:
            yield keeper
        finally:
            keeper.kill()


@functools.cache
def can_mount() -> bool:
    tried = [*_UNSHARE, "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return subprocess.run(tried, capture_output=True, check=False).returncode == 0
