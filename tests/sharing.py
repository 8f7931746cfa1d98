"""How a run is shared out among processes: what goes to one process together, and what begins first.

Knows files by name and nothing of what they test. A run in one process is left as it is.
"""

import pytest
from xdist.scheduler import LoadScopeScheduling

# Tests here share sites that are slow to start, one for each process that has any of them.
TOGETHER = ("tests/journeys/", "tests/queue/")
# Begun last, one of these would keep a single process busy while the others have nothing left to do.
LONGEST_FIRST = (
    "tests/journeys/",
    "tests/queue/",
    "tests/operations/test_on_postgresql.py",
    "tests/operations/test_up.py",
    "tests/operations/test_backups.py",
    "tests/operations/test_graceful_stop.py",
    "tests/operations/test_upgrade.py",
    "tests/judge/test_every_exercise.py",
    "tests/access/test_every_address.py",
    "tests/attacks/test_attacks.py",
    "tests/judge/test_worker.py",
)


def part_of(test: str) -> str:
    """Return the part of the run that a test belongs to; a part stays in one process, in one piece.

    Files are never torn apart: their tests share what their modules set up.
    """
    file = test.partition("::")[0]
    return next((folder for folder in TOGETHER if file.startswith(folder)), file)


def in_order(tests: list[pytest.Item]) -> list[pytest.Item]:
    """Return the tests, the longest parts first; the others stay in the order that chance gave them."""
    places = {part: place for place, part in enumerate(LONGEST_FIRST)}
    return sorted(tests, key=lambda test: places.get(part_of(test.nodeid), len(places)))


class Sharing(LoadScopeScheduling):
    """Gives a process that has nearly done its parts the next one, in the order in which they were collected."""

    def __init__(self, config: pytest.Config, log: object = None) -> None:
        config.option.loadscopereorder = False  # by the number of tests, which says little about their length
        super().__init__(config, log)

    def _split_scope(self, nodeid: str) -> str:
        return part_of(nodeid)
