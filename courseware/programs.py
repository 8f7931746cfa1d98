"""The programs that make up a running site: their commands, and what each is told of the environment.

The judge is told only what `JUDGE_NAMES` lists: a program that escaped from its sandbox finds neither the secret key
nor the database's address in its environment.
"""

import os
import sys
from collections.abc import Callable, Mapping

from django.conf import settings

from courseware.processes import Program

# Where to find programs and what to call things; arithmetic libraries' own switches, which must reach NumPy.
JUDGE_NAMES = (
    *("PATH", "HOME", "LANG", "TZ", "TMPDIR", "SSL_CERT_FILE"),
    *("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "CUDA_VISIBLE_DEVICES"),
)
# A submission may take a minute. A judge that is stopped lets it end; cut short, it would be judged again later.
JUDGE_PATIENCE_SECONDS = 60.0


def site_environment(site_url: str) -> dict[str, str]:
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "courseware.settings",
        "SITE_URL": site_url,
        **_FOR_EVERY_PROGRAM,
    }


def judge_environment() -> dict[str, str]:
    return {
        **{name: os.environ[name] for name in JUDGE_NAMES if name in os.environ},
        "BROKER_URL": settings.BROKER_URL,
        "VAR_PATH": str(settings.VAR_PATH),
        "COURSE_PATH": str(settings.COURSE_PATH),
        "JUDGE_NAME": settings.JUDGE_NAME,
        "SANDBOX_UID": str(settings.SANDBOX_UID),
        "LOG_FORMAT": settings.LOG_FORMAT,
        **_FOR_EVERY_PROGRAM,
    }


def recorder(environment: Mapping[str, str]) -> Program:
    return _worker("recorder", "courseware.recorder", "-Q", "recorder", "-P", "solo", environment=environment)


def periodic(environment: Mapping[str, str]) -> Program:
    # Kept, so that a machine that slept at 4 does its daily tasks when it wakes.
    schedule = ("-B", "-s", str(settings.VAR_PATH / "beat-schedule"))
    return _worker(
        "periodic", "courseware.periodic", "-Q", "periodic", "-P", "solo", *schedule, environment=environment
    )


def judge() -> Program:
    options = ("-n", "judge@%h", *_QUIET, "-Q", "judge.interactive,judge.batch", "-c", "1")
    return Program(
        name="judge",
        command=(sys.executable, "-m", "grader.judge.serve", *options),
        environment=judge_environment(),
        folder=settings.BASE_DIR,
        patience_seconds=JUDGE_PATIENCE_SECONDS,
    )


def web(environment: Mapping[str, str], *, bind: str) -> Program:
    options = [
        *("--bind", bind, "--worker-class", "gthread", "--workers", "2", "--threads", "4"),
        *("--max-requests", "2000", "--max-requests-jitter", "200"),
        # Its control socket would be written to the home directory, which a service account may not have.
        *("--no-control-socket", "--log-level", "warning"),
    ]
    return Program(
        name="web",
        command=(sys.executable, "-m", "gunicorn", *options, "courseware.wsgi"),
        environment=environment,
        folder=settings.BASE_DIR,
    )


def installation(part: str, *, then: Callable[[bool], None]) -> Program:
    """Return the errand that installs one part's requirements, as the launcher would."""
    return Program(
        name=f"install {part}",
        command=("sh", str(settings.BASE_DIR / "run"), "install", part),
        environment=dict(os.environ),
        folder=settings.BASE_DIR,
        once=then,
    )


_FOR_EVERY_PROGRAM = {
    "PYTHONUNBUFFERED": "1",
    # Celery warns of root in each process. It means pickled messages; only JSON is accepted here.
    "PYTHONWARNINGS": "ignore:You're running the worker with superuser privileges",
}


_QUIET = ("--loglevel", "WARNING", "--without-gossip", "--without-mingle", "--without-heartbeat")


def _worker(name: str, app: str, *options: str, environment: Mapping[str, str]) -> Program:
    return Program(
        name=name,
        command=(sys.executable, "-m", "celery", "--quiet", "-A", app, "worker", "-n", f"{name}@%h", *_QUIET, *options),
        environment=environment,
        folder=settings.BASE_DIR,
    )
