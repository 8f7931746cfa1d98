"""The check of a device, run whole on the CPU once, and where there is no device; how it is on one is in the docs."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.guests import need_sandbox, need_torch

ROOT = Path(__file__).parents[2]


def checked(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the check as a judge's machine would, without Django or Celery: an import of either ends it."""
    program = (
        "import sys\n"
        "sys.modules.update(dict.fromkeys(('django', 'celery', 'kombu', 'torch')))\n"
        "from grader.judge.gpucheck import main\n"
        "sys.exit(main())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "PYTHONDONTWRITEBYTECODE": "1", **environment},
        capture_output=True,
        text=True,
        timeout=240,
    )


def rows_of(table: str) -> dict[str, tuple[str, str]]:
    return {
        name: (ok, figures)
        for name, ok, figures in re.findall(r"(?m)^\| (?!trial)(.+?) \| (ok|NOT OK) \| (.*) \|$", table)
    }


@pytest.fixture(scope="module")
def on_the_cpu(tmp_path_factory: pytest.TempPathFactory) -> subprocess.CompletedProcess[str]:
    """The whole check; bubblewrap is not on its path, and found where BWRAP says."""
    need_sandbox()
    need_torch()
    return checked("--device", "cpu", PATH=str(tmp_path_factory.mktemp("empty")), BWRAP=shutil.which("bwrap") or "")


@pytest.mark.sandbox
def test_every_trial_is_ok_on_the_cpu_without_django_or_celery(on_the_cpu) -> None:
    rows = rows_of(on_the_cpu.stdout)

    assert {name for name, (ok, _) in rows.items() if ok != "ok"} == set(), on_the_cpu.stdout + on_the_cpu.stderr
    assert len(rows) == 9
    assert (on_the_cpu.returncode, on_the_cpu.stderr) == (0, "")


@pytest.mark.sandbox
def test_table_names_rung_device_versions_and_both_timings(on_the_cpu) -> None:
    rows = rows_of(on_the_cpu.stdout)

    assert re.match(r"\d{4}-\d\d-\d\d, cpu, Python 3\.\d+\.\d+, PyTorch 2\.", on_the_cpu.stdout)
    assert rows["sandbox"][1].startswith("bubblewrap: ")
    assert rows["device"][1] == "cpu"
    assert re.search(r"cold: .* s; warm: verdict \d+ ms", rows["right programs are right"][1])


@pytest.mark.sandbox
def test_fall_to_the_cpu_is_never_the_learners(on_the_cpu) -> None:
    assert rows_of(on_the_cpu.stdout)["a fall to the CPU is the operator's"] == (
        "ok",
        "a guest computes on cpu, and cuda was asked for",
    )


def test_machine_without_a_device_is_told_what_is_missing_in_a_whole_table() -> None:
    if Path("/dev/nvidiactl").exists():
        pytest.skip("this machine has a device")
    done = checked("--device", "cuda")
    rows = rows_of(done.stdout)

    assert done.returncode == 1
    assert "there is no /dev/nvidia0, /dev/nvidiactl, /dev/nvidia-uvm, /dev/nvidia-uvm-tools" in rows["start"][1]
    assert len(rows) == 10
    assert set(rows.values()) - {rows["start"]} == {("NOT OK", "not tried")}


@pytest.mark.sandbox
def test_where_nothing_can_be_shut_in_that_is_told_and_the_other_trials_go_on(tmp_path: Path) -> None:
    """The stage itself, with NumPy alone to be quick; a learner's program is never run so."""
    need_sandbox()
    program = """
import sys
from grader.judge import trial_stage, trials
from grader.sandbox.devices import Device
from grader.sandbox.replies import SandboxUnavailable
def refuse(**_):
    raise SandboxUnavailable("no namespaces; no Landlock")
trial_stage.find_rung, trial_stage.LIBRARIES = refuse, ("numpy",)
stage = trial_stage.Stage(Device.CPU, 61000)
stage.find_rung()
try:
    trials.rung(stage, None)
except trials.NotSo as error:
    print(error)
stage.take().discard()
print(stage.is_shut_in)
stage.close()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert done.stdout.splitlines() == [
        "refused: no namespaces; no Landlock; what follows ran with the system call filter and limits alone",
        "False",
    ]


def test_only_the_check_of_a_device_ever_runs_a_program_without_walls() -> None:
    from grader.sandbox.rungs import LADDER, Rung

    using = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "grader").rglob("*.py")
        if re.search(r"Rung\.FILTER|NoWalls\(", path.read_text())
    }

    assert Rung.FILTER not in LADDER
    assert using == {"grader/judge/trial_stage.py", "grader/sandbox/rungs.py", "grader/sandbox/inside/zygote.py"}
