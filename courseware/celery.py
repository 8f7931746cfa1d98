"""The site's own Celery app: it sends messages by task name and consumes none.

The recorder (`courseware/recorder.py`) and the periodic jobs (`courseware/periodic.py`) are apps of their own, so
that each process registers its tasks and no other.
"""

from celery import Celery
from django.conf import settings

app = Celery("site")
app.conf.update(settings.CELERY)
app.set_default()
