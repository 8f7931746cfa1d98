"""Entry of the periodic jobs: a worker with Beat that keeps submissions moving.

celery -A courseware.periodic worker -B -Q periodic
"""

import os

import django
from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from django.conf import settings  # noqa: E402  (settings exist only after setup)

from grader import tasks  # noqa: E402

DISPATCH_SECONDS = 5  # the architecture's figure: how long a lost message may stay unnoticed

# Whoever listens to this sets the log up; Django did, as the settings say, and Celery leaves it alone.
setup_logging.connect(lambda **_: None, weak=False)
app = Celery("periodic", set_as_current=False)
app.conf.update(
    settings.CELERY,
    task_default_queue="periodic",
    beat_schedule={
        "dispatch": {
            "task": "periodic.dispatch",
            "schedule": DISPATCH_SECONDS,
            # A tick that nobody took in time is worthless: the next one does the same work.
            "options": {"expires": DISPATCH_SECONDS, "queue": "periodic"},
        }
    },
)
for name, function in tasks.PERIODIC_TASKS.items():
    app.task(name=name)(function)
