"""A whole site at work for measurements: web, recorder, periodic jobs and judges, started as the product starts them.

`measure_in` runs a measurement in a process of its own, whose environment names a database and a broker, since settings
are read once in a process. There `site` starts the programs, and `shares` tells what each process has used.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

from tests import servers
from tests.bench.serving import served
from tests.processes import command_of, descendants, wait_until

Kind = Literal["servers", "files"]
KINDS: dict[Kind, str] = {"servers": "PostgreSQL and Redis", "files": "SQLite and files"}

_WITH_PARENT = ("setpriv", "--pdeathsig", "TERM", "--")  # a measurement that is killed leaves no program behind

# Who a process is, by words of its command; the first that fit.
_WORDS = {
    "load": "tests.bench",
    "web": "gunicorn",
    "recorder": "courseware.recorder",
    "periodic": "courseware.periodic",
    "judges": "grader.judge.serve",
    "sandbox": "grader.sandbox|grader/sandbox",
    "broker": "redis-server",
    "database": "postgres",
}


def measure_in(kind: Kind, module: str, *words: str) -> bool:
    """Run `python -m MODULE WORDS` on a database and a broker of this kind; say whether it ended well."""
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="courseware-bench-"))
        environment = os.environ | {"VAR_PATH": folder, "DATABASE_URL": "", "BROKER_URL": "", "LOG_FORMAT": "text"}
        if kind == "servers":
            environment["DATABASE_URL"] = stack.enter_context(servers.postgresql())
            environment["BROKER_URL"] = stack.enter_context(servers.redis())
        environment |= {"DJANGO_SETTINGS_MODULE": "tests.bench.site"}
        environment |= {"SITE_URL": f"http://127.0.0.1:{servers.free_port()}"}
        command = [sys.executable, "-m", module, kind, *words]
        return subprocess.run(command, env=environment, check=False).returncode == 0


@contextmanager
def site(judges: int) -> Iterator[int]:
    """Yield the port of a site whose judges are ready; nothing of it runs after the block."""
    from django.core.management import call_command

    from courseware import programs
    from grader.models import JudgeHost

    call_command("migrate", verbosity=0)
    call_command("createcachetable")
    call_command("collectstatic", verbosity=0, interactive=False)
    url = os.environ["SITE_URL"]
    port = int(url.rpartition(":")[2])
    environment = programs.site_environment(url)
    with ExitStack() as stack:
        stack.enter_context(served(port))
        for program in (programs.recorder(environment), programs.periodic(environment)):
            stack.enter_context(_running(program.name, program.command, program.environment))
        for number in range(judges):
            judge, name = programs.judge(), judge_name(number)
            # Celery's own name of a worker too must be there once on a host.
            command = [f"{name}@%h" if word == "judge@%h" else word for word in judge.command]
            stack.enter_context(_running(name, command, {**judge.environment, "JUDGE_NAME": name}))
        wait_until(lambda: JudgeHost.objects.grading().count() == judges, seconds=120)
        yield port


def judge_name(number: int) -> str:
    return f"judge-{number + 1}"


def log_of(name: str) -> str:
    return Path(os.environ["VAR_PATH"], f"{name}.log").read_text()


def shares() -> Counter[str]:
    """Return the processor seconds of each process of the measurement, with those that it has ended."""
    spent: Counter[str] = Counter()
    for pid in (os.getpid(), *descendants(os.getppid()) - {os.getpid()}):
        command = command_of(pid)
        name = next((name for name, words in _WORDS.items() if re.search(words, command)), "others")
        spent[name] += _cpu_seconds(pid)
    return spent


def print_shares(before: Counter[str], after: Counter[str], seconds: float) -> None:
    """Print what each process used of the cores in so many seconds."""
    used = {name: after[name] - before[name] for name in _WORDS}
    total = sum(used.values())
    print(f"  {'process':<10}{'cpu s':>8}{'share':>8}   of {total:.1f} s on {os.cpu_count()} cores in {seconds:.1f} s")
    for name, each in used.items():
        print(f"  {name:<10}{each:>8.2f}{each / total:>8.0%}", flush=True)


def _cpu_seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")  # its own, and its children's that have ended


@contextmanager
def _running(name: str, command: list[str] | tuple[str, ...], environment: Mapping[str, str]) -> Iterator[None]:
    root = Path(__file__).parents[3]
    with Path(os.environ["VAR_PATH"], f"{name}.log").open("ab") as log:
        process = subprocess.Popen(
            [*_WITH_PARENT, *command],
            cwd=root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
