"""What the judge's process may and may not hold."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXERCISE = "courseware/content/05-transformers/concepts/03-scaled-dot-product-attention/attention"
PROGRAM = """
import sys
from grader.judge.serve import WithoutDjango
sys.meta_path.insert(0, WithoutDjango())
import grader.judge.worker
from grader.judge.folders import open_bench
from grader.judge.guests import open_trusted
from grader.judge.judging import judge

bench = open_bench(grader.judge.worker.exercises["attention"])
source = (bench.exercise.folder / "reference.py").read_text() + "attention = by_products"
print(judge(bench, source, seed=1, opener=open_trusted).outcome.value)
print(sorted(name for name in sys.modules if name.split(".")[0] in ("django", "torch", "allauth", "psycopg")))
print(sorted(name for name in grader.judge.worker.app.tasks if not name.startswith("celery.")))
"""


def run(*command: str, var_path: Path, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "VAR_PATH": str(var_path), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=timeout
    )


def test_judge_has_neither_django_nor_torch_and_one_task(tmp_path: Path) -> None:
    finished = run("-W", "error", "-c", PROGRAM, var_path=tmp_path)

    assert finished.stderr == ""
    assert finished.stdout.splitlines() == ["right", "[]", "['judge.grade']"]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("solution", "code", "words"),
    [
        ("right_plain.py", 0, "RIGHT: All 10 checks hold."),
        ("wrong_no_scale.py", 1, "m03-no-scale"),
        ("fragile_no_shift.py", 1, "FRAGILE"),
    ],
)
def test_command_line_judges_without_a_server(tmp_path: Path, solution: str, code: int, words: str) -> None:
    finished = run("-m", "grader.judge", EXERCISE, f"tests/submissions/attention/{solution}", var_path=tmp_path)

    assert (finished.returncode, finished.stderr) == (code, "")
    assert words in finished.stdout


@pytest.mark.parametrize(
    "arguments", [(), ("no/such/folder", "x.py"), (EXERCISE, "no/such/solution.py"), ("courseware", "README.md")]
)
def test_wrong_call_of_the_command_line_exits_with_2(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    finished = run("-m", "grader.judge", *arguments, var_path=tmp_path)

    assert finished.returncode == 2
    assert finished.stderr and "Traceback" not in finished.stderr
