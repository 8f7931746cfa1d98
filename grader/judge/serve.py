"""Starts the judge's worker in a process that cannot import Django: `python -m grader.judge.serve -Q QUEUE`.

Where site and judge share one environment, Celery's JSON module would import a part of Django just because it is
installed. The options are those of `celery worker`.
"""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class WithoutDjango(MetaPathFinder):
    """Answers every import of Django as if it were not installed."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname.partition(".")[0] == "django":
            raise ModuleNotFoundError("the judge works without Django", name=fullname)
        return None


def main() -> None:
    """Run the worker until it is stopped."""
    sys.meta_path.insert(0, WithoutDjango())
    from grader.judge.worker import app  # only now, since it imports Celery

    app.worker_main(["--quiet", "worker", *sys.argv[1:]])


if __name__ == "__main__":
    main()
