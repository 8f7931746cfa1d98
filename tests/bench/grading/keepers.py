"""Supervisors for measurements: the product's own, or one of a copy of its sandbox with a function or two replaced."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from grader.judge.guests import Opener
from grader.sandbox import keeper as keeping
from grader.sandbox.keeper import Keeper
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import present_libraries
from grader.sandbox.runner import DEFAULT_SANDBOX_UID, open_guest

# What is cut out for the control: the guest's own namespaces and mounts, and the filter.
WITHOUT_WALLS = {
    "inside/walls.py": "Namespaces.fork = lambda self: os.fork()\nNamespaces.shut_in = lambda self: None\n",
    "inside/guest.py": "def seal(program, seccomp_number):\n    pass\n",
}


@contextmanager
def kept_supervisor(more: dict[str, str] | None = None) -> Iterator[Keeper]:
    """Keep a supervisor that has guests ready; `more` is appended to modules of the copy, by their names."""
    with tempfile.TemporaryDirectory(prefix="courseware-bench-") as folder:
        project = keeping.PROJECT
        if more:
            shutil.copytree(project / "grader", Path(folder) / "grader", ignore=shutil.ignore_patterns("__pycache__"))
            for name, text in more.items():
                with (Path(folder) / "grader" / "sandbox" / name).open("a") as module:
                    module.write(f"\n\n{text}")
            keeping.PROJECT = Path(folder)
        kept = Keeper(uid=DEFAULT_SANDBOX_UID, libraries=present_libraries(), log_format="text")
        try:
            kept.start()
            opener_of(kept)(source="", filename="a.py", library="numpy", limits=Limits()).close()
            yield kept
        finally:
            kept.stop()
            keeping.PROJECT = project


def opener_of(kept: Keeper) -> Opener:
    return partial(open_guest, take=kept.take)
