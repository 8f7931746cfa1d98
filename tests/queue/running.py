"""A site whose programs are real: started as the product starts them, killed as no product should be."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import redis
from celery import Celery
from django.test import override_settings

from courseware import programs
from courseware.processes import Program
from grader.messages import RECORDER_QUEUE
from grader.transport import celery_options
from tests.processes import command_of, descendants, parent_of, wait_until
from tests.sandbox.guests import guests_at_work, is_of_sandbox
from tests.small_disks import SmallDisk

ROOT = Path(__file__).resolve().parents[2]
# The exercise's limit and the grace together: the five seconds of a lease in these tests.
LIMIT_SECONDS, GRACE_SECONDS = 4, 1
SPY = Path(__file__).with_name("spy")
RIGHT = (ROOT / "tests" / "submissions" / "attention" / "right_plain.py").read_text()
SLOW = "import time\ntime.sleep(1)\n" + RIGHT


@dataclass
class Site:
    """The programs of one site, by name, and the desk through which a test acts and looks."""

    var_path: Path
    database_url: str
    broker_url: str
    course_path: Path
    disk: SmallDisk | None = None  # that the database lies on
    _running: dict[str, "subprocess.Popen[bytes]"] = field(default_factory=dict)
    _desk: "subprocess.Popen[str] | None" = None

    def start(self, *names: str) -> None:
        for name in names:
            program = self._program(name)
            with (self.var_path / f"{name}.log").open("ab") as log:
                self._running[name] = subprocess.Popen(
                    self._seeing_the_disk(program.command, program.folder, name),
                    cwd=program.folder,
                    env={**program.environment, "PYTHONPATH": str(SPY), "SPY_PATH": str(self.var_path)},
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )

    def start_judge(self) -> None:
        """Start a judge and wait until the site has heard of it."""
        before = self.ask("judges").get("judge-1")
        self.start("judge")
        wait_until(lambda: self.ask("judges").get("judge-1") != before)

    def kill(self, name: str) -> set[int]:
        """Kill a program and all it started, as the kernel kills: nobody is asked. Return who that was."""
        process = self._running.pop(name)
        killed = {process.pid, *descendants(process.pid)}
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return killed

    def pause(self, *names: str) -> None:
        for name in names:
            os.killpg(self._running[name].pid, signal.SIGSTOP)

    def resume(self, *names: str) -> None:
        for name in names:
            os.killpg(self._running[name].pid, signal.SIGCONT)

    def make_whole(self) -> None:
        """Bring back whoever was killed or stands still."""
        for name in ("recorder", "periodic", "judge"):
            if name in self._running and self._running[name].poll() is None:
                self.resume(name)
            elif name == "judge":
                self.start_judge()
            else:
                self.start(name)

    def modules(self, name: str) -> list[set[str]]:
        """Return what a program has loaded, and what each process has that it forked."""
        (self.var_path / "ask").touch()
        whose = {self._running[name].pid, *descendants(self._running[name].pid)}
        heard = wait_until(
            lambda: (
                (found := [path for pid in whose if (path := self.var_path / f"{pid}.json").exists()])
                and len(found) == sum("python" in command_of(pid) and not is_of_sandbox(pid) for pid in whose)
                and found
            )
        )
        return [set(json.loads(path.read_text())["modules"]) for path in heard]

    def pid(self, name: str) -> int:
        return self._running[name].pid

    def said_by(self, name: str) -> str:
        return (self.var_path / f"{name}.log").read_text()

    def verdicts_written(self, submission: str) -> int:
        """Return how often the recorder ended a submission."""
        return self.said_by("recorder").count(f"submission finished submission={submission}")

    def put_bytes_into(self, queue: str, *pieces: bytes) -> None:
        """Put bytes where messages lie, as whoever has the broker's storage can."""
        if self.broker_url.startswith("redis"):
            with redis.Redis.from_url(self.broker_url) as client:
                client.lpush(queue, *pieces)
            return
        folder = self.var_path / "broker" / "queue"
        for piece in pieces:
            (folder / f"{time.monotonic_ns()}_{uuid.uuid4()}.{queue}.msg").write_bytes(piece)

    def repeat_messages(self, queue: str) -> None:
        """Put every message that lies in a queue there once more, as a broker does that is not sure."""
        if self.broker_url.startswith("redis"):
            with redis.Redis.from_url(self.broker_url) as client:
                self.put_bytes_into(queue, *client.lrange(queue, 0, -1))
            return
        for path in list((self.var_path / "broker" / "queue").glob(f"*.{queue}.msg")):
            self.put_bytes_into(queue, path.read_bytes())

    def lying_in(self, queue: str) -> int:
        """Return how many messages lie in a queue or are being handled."""
        if self.broker_url.startswith("redis"):
            with redis.Redis.from_url(self.broker_url) as client:
                return int(client.llen(queue)) + int(client.hlen("site.unacked"))
        return len(list((self.var_path / "broker" / "queue").glob(f"*.{queue}.msg")))

    def guests(self) -> set[int]:
        """Return the guests in which the judge runs somebody's program now."""
        return guests_at_work(self._running["judge"].pid)

    def kill_in_the_judge(self, what: str) -> None:
        """Kill the judge's supervisor, or the zygote of a guest that is at work."""
        if what == "zygote":
            victim = parent_of(min(self.guests()))
        else:
            programs = descendants(self._running["judge"].pid)
            (victim,) = (pid for pid in programs if "grader.sandbox.supervisor" in command_of(pid))
        os.kill(victim, signal.SIGKILL)

    def judge_app(self) -> Celery:
        """Return a Celery app as the judge has it, in the hands of whoever holds the broker's address."""
        app = Celery("a judge in other hands", set_as_current=False)
        app.conf.update(celery_options(self.broker_url, self.var_path, side="judge"))
        return app

    def say_and_wait(self, *messages: tuple[str, object]) -> None:
        """Send messages to the recorder and return when it has read them all."""
        fence = f"fence {time.monotonic_ns()}"
        with self.judge_app() as app:
            for task, message in messages:
                app.send_task(task, args=[message], queue=RECORDER_QUEUE)
            app.send_task("recorder.judge_alive", args=[_refusing_judge(fence)], queue=RECORDER_QUEUE)
        wait_until(lambda: fence in self.ask("judges"))

    def verdict_of(self, submission: str) -> dict[str, Any]:
        """Return the row once it is finished."""
        return dict(wait_until(lambda: (row := self.ask("row", submission))["state"] == "finished" and row))

    def ask(self, order: str, *arguments: Any) -> Any:
        """Let the desk do something, and return its answer."""
        assert self._desk is not None and self._desk.stdin is not None and self._desk.stdout is not None
        self._desk.stdin.write(json.dumps([order, arguments]) + "\n")
        self._desk.stdin.flush()
        answer = self._desk.stdout.readline()
        assert answer, (self.var_path / "desk.log").read_text()
        return json.loads(answer)

    def open_desk(self) -> None:
        with (self.var_path / "desk.log").open("ab") as log:
            self._desk = subprocess.Popen(
                self._seeing_the_disk([sys.executable, "-m", "tests.queue.desk"], ROOT, "desk"),
                cwd=ROOT,
                env=self._environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.ask("prepare")

    def close(self) -> None:
        for name in list(self._running):
            self.kill(name)
        if self._desk is not None:
            self._desk.communicate()

    def logs(self) -> str:
        return "\n".join(f"--- {path.name}\n{path.read_text()[-4000:]}" for path in sorted(self.var_path.glob("*.log")))

    def _seeing_the_disk(self, command: list[str], folder: Path, name: str) -> list[str]:
        # The judge has no business with the database; that of PostgreSQL sees its own disk.
        is_needed = self.disk is not None and not self.database_url and name != "judge"
        return [*self.disk.words(folder), *command] if self.disk is not None and is_needed else command

    def _program(self, name: str) -> Program:
        with override_settings(
            VAR_PATH=self.var_path, BROKER_URL=self.broker_url, COURSE_PATH=self.course_path, JUDGE_NAME="judge-1"
        ):
            if name == "judge":
                return programs.judge()
            return {"recorder": programs.recorder, "periodic": programs.periodic}[name](self._environment())

    def _environment(self) -> dict[str, str]:
        return programs.site_environment("http://testserver") | {
            "VAR_PATH": str(self.var_path),
            "DATABASE_URL": self.database_url,
            "BROKER_URL": self.broker_url,
            "COURSE_PATH": str(self.course_path),
            "GRADER_LEASE_GRACE_SECONDS": str(GRACE_SECONDS),
        }


@contextlib.contextmanager
def site(folder: Path, *, database_url: str, broker_url: str, disk: SmallDisk | None = None) -> Iterator[Site]:
    """Yield a site with all its programs up; nothing of it is left after the block."""
    running = Site(folder, database_url, broker_url, _course_with_short_limits(folder), disk)
    try:
        running.open_desk()
        running.start("recorder", "periodic")
        running.start_judge()
        yield running
    finally:
        running.close()


def _course_with_short_limits(folder: Path) -> Path:
    course = folder / "course"
    shutil.copytree(ROOT / "courseware" / "content", course)
    (exercise,) = course.rglob("attention/exercise.yaml")
    shorter = re.sub(r"(?m)^  total_seconds: \d+$", f"  total_seconds: {LIMIT_SECONDS}", exercise.read_text())
    exercise.write_text(shorter)
    return course


def _refusing_judge(name: str) -> dict[str, Any]:
    return {
        "judge": name,
        "rung": "none",
        "rung_reason": "",
        "device": "cpu",
        "versions": {},
        "exercises_digest": "0" * 64,
        "libraries": [],
        "refusal": "this is no judge",
    }
