"""A run that several processes share out: what it names is there, and it fails when one of them dies."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sharing import LONGEST_FIRST, TOGETHER, part_of

ROOT = Path(__file__).resolve().parents[2]
DYING = """
import os
import pytest

from tests.sharing import LONGEST_FIRST, TOGETHER, part_of

@pytest.mark.parametrize("number", range(8))
def test_among_many(number):
    if number == 4:
        os._exit(0)
"""


def test_every_part_that_is_named_is_there():
    assert not [part for part in (*TOGETHER, *LONGEST_FIRST) if not (ROOT / part).exists()]
    assert {part_of(f"{part}::test_one") for part in LONGEST_FIRST} == set(LONGEST_FIRST)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_process_that_dies_fails_the_run_by_the_name_of_its_test(tmp_path):
    """Another process in its place may wait for ever, and then so does the run."""
    (tmp_path / "test_dying.py").write_text(DYING)
    (tmp_path / "test_other.py").write_text(DYING.replace("os._exit(0)", "pass"))

    outcome = subprocess.run(
        [sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "-p", "tests.conftest", "-n", "2", tmp_path],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )

    assert outcome.returncode == 1, outcome.stdout + outcome.stderr
    assert "test_dying.py::test_among_many[4]'" in outcome.stdout.partition("crashed while running")[2]
