"""Entry of the periodic jobs: a worker with Beat that moves submissions, ends tests at their deadlines, tidies up.

celery -A courseware.periodic worker -B -Q periodic
"""

import os

import django
from celery.schedules import crontab

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from courseware.operations.tasks import DAILY_TASKS  # noqa: E402  (settings exist only after setup)
from courseware.workers import worker_app  # noqa: E402
from grader.tasks import PERIODIC_TASKS as GRADER_TASKS  # noqa: E402
from quizzes.tasks import PERIODIC_TASKS as QUIZZES_TASKS  # noqa: E402

TICKING_TASKS = GRADER_TASKS | QUIZZES_TASKS
TICK_SECONDS = 5  # the architecture's figure: how long a lost message may stay unnoticed

app = worker_app(
    "periodic",
    TICKING_TASKS | DAILY_TASKS,
    beat_schedule={
        name: {
            "task": name,
            "schedule": TICK_SECONDS,
            # A tick that nobody took in time is worthless: the next one does the same work.
            "options": {"expires": TICK_SECONDS, "queue": "periodic"},
        }
        for name in TICKING_TASKS
    }
    # At a clock time, since a period would begin anew with each start; 4 a.m. UTC is an hour at which few are here.
    | {
        name: {"task": name, "schedule": crontab(hour=4, minute=0), "options": {"queue": "periodic"}}
        for name in DAILY_TASKS
    },
)
