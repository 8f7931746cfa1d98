"""Entry of the recorder: the one process that listens to judges. It registers the recorder's tasks and no other.

celery -A courseware.recorder worker -Q recorder
"""

import os

import django
from celery.signals import worker_init

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "courseware.settings")
django.setup()

from courseware.workers import worker_app  # noqa: E402  (settings exist only after setup)
from grader import tasks  # noqa: E402
from grader.catalogue import current_exercises  # noqa: E402
from grader.doors import DOOR  # noqa: E402

app = worker_app("recorder", tasks.RECORDER_TASKS, worker_consumer=DOOR)
# Celery registers tasks of its own (group, chord, …) that publish whatever their message tells them to.
app.finalize()
for name in set(app.tasks) - set(tasks.RECORDER_TASKS):
    app.tasks.unregister(name)


def _read_exercises(**_: object) -> None:
    current_exercises()  # or the first verdict would wait for it


worker_init.connect(_read_exercises)
