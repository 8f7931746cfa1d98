"""What rests on the database, once more on a real PostgreSQL: the other tests run on the embedded SQLite.

A process of its own, since Django reads its database when it starts.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests import servers

ROOT = Path(__file__).parents[2]
# Locks, races, conditional updates, constraints, aggregates: what two databases may see differently.
RESTING_ON_IT = [
    "tests/quizzes/test_races.py",
    "tests/quizzes/test_sittings.py",
    "tests/quizzes/test_deadlines.py",
    "tests/quizzes/test_fair_sittings.py",
    "tests/quizzes/test_sitting_schema.py",
    "tests/quizzes/test_self_checks.py",
    "tests/grader_site",
    "tests/results",
    "tests/accounts/test_people.py",
    "tests/accounts/test_joining.py",
    "tests/operations/test_statements.py",
    "tests/study/test_cards.py",
]


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_what_rests_on_the_database_holds_on_postgresql():
    try:
        with servers.postgresql() as url:
            result = subprocess.run(
                [sys.executable, "-m", "pytest", "-q", "-rfs", *RESTING_ON_IT],
                cwd=ROOT,
                env={**os.environ, "DATABASE_URL": url},
                capture_output=True,
                text=True,
                check=False,
            )
    except servers.ServerMissing as missing:
        pytest.skip(str(missing))

    assert result.returncode == 0, result.stdout[-4000:]
    assert int(re.search(r"(\d+) passed", result.stdout)[1]) > 300
    assert "skipped" not in result.stdout.splitlines()[-1]
