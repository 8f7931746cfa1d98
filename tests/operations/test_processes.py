"""The supervisor, tried on real small programs."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from courseware import processes
from courseware.processes import Program, Supervisor
from tests.processes import is_running


def _program(name: str, source: str, folder: Path, **more) -> Program:
    return Program(
        name=name, command=(sys.executable, "-c", textwrap.dedent(source)), environment={}, folder=folder, **more
    )


def _run_until(supervisor: Supervisor, condition: Callable[[], bool], *, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds

    def tick() -> None:
        if condition():
            supervisor.stop()
        elif time.monotonic() > deadline:
            supervisor.stop()
            raise AssertionError("it did not happen in time")

    supervisor.run(tick)


def _ends(pid: int) -> bool:
    deadline = time.monotonic() + 5
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not is_running(pid)


def test_programs_stop_stage_by_stage(tmp_path):
    source = """
        import signal, time
        def end(*_):
            print("ended", flush=True)
            raise SystemExit
        signal.signal(signal.SIGTERM, end)
        print("up", flush=True)
        time.sleep(60)
    """
    lines: list[str] = []
    supervisor = Supervisor(
        [[_program(name, source, tmp_path)] for name in ("web", "judge", "recorder")], say=lines.append
    )
    for name in ("recorder", "judge", "web"):
        supervisor.start(name)

    _run_until(supervisor, lambda: len(lines) == 3)

    assert [line for line in lines if "ended" in line] == ["[web] ended", "[judge] ended", "[recorder] ended"]


def test_line_that_is_an_object_is_passed_on_as_it_is(tmp_path):
    lines: list[str] = []
    source = """print('{"level": "INFO"}', flush=True); print("plain", flush=True); import time; time.sleep(60)"""
    supervisor = Supervisor([[_program("web", source, tmp_path)]], say=lines.append)
    supervisor.start("web")

    _run_until(supervisor, lambda: len(lines) == 2)

    assert lines[:2] == ['{"level": "INFO"}', "[web] plain"]


def test_program_that_dies_is_started_again_later_each_time_and_said_so(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "FIRST_WAIT_SECONDS", 1.0)
    lines: list[str] = []
    supervisor = Supervisor([[_program("judge", "raise SystemExit(3)", tmp_path)]], say=lines.append)
    supervisor.start("judge")

    _run_until(supervisor, lambda: len(lines) == 2)

    assert lines[:2] == [
        "judge ended with status 3; it starts again in 1 s.",
        "judge ended with status 3; it starts again in 2 s.",
    ]


def test_program_that_was_killed_is_started_again(tmp_path):
    lines: list[str] = []
    source = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    supervisor = Supervisor([[_program("judge", source, tmp_path)]], say=lines.append)
    supervisor.start("judge")
    killed: list[int] = []

    def two_lives() -> bool:
        pids = [int(line.split()[1]) for line in lines if line.startswith("[judge]")]
        if pids and not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)
        return len(pids) == 2

    _run_until(supervisor, two_lives)

    assert "judge was ended by signal 9; it starts again in 1 s." in lines


def test_restart_lets_the_running_work_end(tmp_path):
    source = """
        import signal, time
        asked = []
        signal.signal(signal.SIGTERM, lambda *_: asked.append(1))
        print("up", flush=True)
        while not asked:
            time.sleep(0.05)
        print("finished", flush=True)
    """
    lines: list[str] = []
    supervisor = Supervisor([[_program("judge", source, tmp_path)]], say=lines.append)
    supervisor.start("judge")
    asked: list[bool] = []

    def restarted() -> bool:
        if lines and not asked:
            asked.append(True)
            supervisor.restart("judge")
        return len(lines) == 3

    _run_until(supervisor, restarted)

    assert lines[:3] == ["[judge] up", "[judge] finished", "[judge] up"]


@pytest.mark.parametrize("status", [0, 1])
def test_errand_runs_once_and_tells_how_it_went(tmp_path, status):
    went: list[bool] = []
    supervisor = Supervisor(
        [[_program("install", f"raise SystemExit({status})", tmp_path, once=went.append)]], say=[].append
    )
    supervisor.start("install")

    _run_until(supervisor, lambda: bool(went))

    assert went == [status == 0]


def test_program_that_will_not_end_is_ended(tmp_path):
    source = """
        import os, signal, time
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(os.getpid(), flush=True)
        time.sleep(60)
    """
    lines: list[str] = []
    supervisor = Supervisor([[_program("web", source, tmp_path, patience_seconds=0.5)]], say=lines.append)
    supervisor.start("web")

    _run_until(supervisor, lambda: bool(lines))

    assert _ends(int(lines[0].split()[1]))


def test_what_a_program_leaves_behind_ends_with_it(tmp_path):
    source = """
        import subprocess, sys
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        print(child.pid, flush=True)
        child.wait()
    """
    lines: list[str] = []
    supervisor = Supervisor([[_program("periodic", source, tmp_path)]], say=lines.append)
    supervisor.start("periodic")

    _run_until(supervisor, lambda: bool(lines))

    assert _ends(int(lines[0].split()[1]))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_no_program_outlives_the_supervisor(tmp_path, number):
    source = textwrap.dedent(f"""
        import sys
        from pathlib import Path
        from courseware.processes import Program, Supervisor
        child = Program(
            name="judge",
            command=(sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"),
            environment={{}},
            folder=Path({str(tmp_path)!r}),
        )
        supervisor = Supervisor([[child]], say=lambda line: print(line, flush=True))
        supervisor.start("judge")
        supervisor.run(lambda: None)
    """)
    supervisor = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE, text=True)
    assert supervisor.stdout is not None
    pid = int(supervisor.stdout.readline().split()[1])

    supervisor.send_signal(number)
    supervisor.wait(timeout=10)

    supervisor.stdout.close()
    assert _ends(pid)
