"""One site per folder: a lock that whoever runs it, or replaces its database, holds meanwhile."""

import fcntl
import os
from pathlib import Path
from typing import IO


class SiteRuns(Exception):
    """Somebody else holds the folder."""

    def __init__(self, var_path: Path, process: str) -> None:
        super().__init__(f"The site already runs from {var_path} (process {process or 'unknown'}).")


def only_one_site(var_path: Path) -> IO[str]:
    """Return the lock of a folder; it is held until it is closed or the process ends.

    Errors:  SiteRuns if another process holds it
    """
    lock = (var_path / "up.lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        process = lock.read().strip()
        lock.close()
        raise SiteRuns(var_path, process) from None
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
