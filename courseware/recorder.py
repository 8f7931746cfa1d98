"""Entry of the recorder: the one process that listens to judges. It registers the recorder's tasks and no other.

celery -A courseware.recorder worker -Q recorder
"""

import os

import django
from celery import Celery
from celery.signals import setup_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from django.conf import settings  # noqa: E402  (settings exist only after setup)

from grader import tasks  # noqa: E402
from grader.doors import DOOR  # noqa: E402

# Whoever listens to this sets the log up; Django did, as the settings say, and Celery leaves it alone.
setup_logging.connect(lambda **_: None, weak=False)
app = Celery("recorder", set_as_current=False)
app.conf.update(settings.CELERY, task_default_queue="recorder", worker_consumer=DOOR)
for name, function in tasks.RECORDER_TASKS.items():
    app.task(name=name)(function)
# Celery registers tasks of its own (group, chord, …) that publish whatever their message tells them to.
app.finalize()
for name in set(app.tasks) - set(tasks.RECORDER_TASKS):
    app.tasks.unregister(name)
