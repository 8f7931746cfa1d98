"""Entry of the periodic jobs: a worker with Beat that moves submissions, ends tests at their deadlines, tidies up.

celery -A courseware.periodic worker -B -Q periodic
"""

import os

import django
from celery import Celery
from celery.schedules import crontab
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from django.conf import settings  # noqa: E402  (settings exist only after setup)

from courseware.operations.tasks import DAILY_TASKS  # noqa: E402
from grader.tasks import PERIODIC_TASKS as GRADER_TASKS  # noqa: E402
from quizzes.tasks import PERIODIC_TASKS as QUIZZES_TASKS  # noqa: E402

TICKING_TASKS = GRADER_TASKS | QUIZZES_TASKS
TICK_SECONDS = 5  # the architecture's figure: how long a lost message may stay unnoticed

# Whoever listens to this sets the log up; Django did, as the settings say, and Celery leaves it alone.
setup_logging.connect(lambda **_: None, weak=False)
app = Celery("periodic", set_as_current=False)
app.conf.update(
    settings.CELERY,
    task_default_queue="periodic",
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
for name, function in (TICKING_TASKS | DAILY_TASKS).items():
    app.task(name=name)(function)
