"""The Celery apps of the site's two workers, recorder and periodic jobs, and the database connection that each keeps.

Celery's own fitting for Django closes the connection before and after every task. On PostgreSQL a verdict then waited
for a new process of the server, which read its tables' descriptions and planned every statement anew; all that is kept
here, as a web process keeps it. It knows no task.
"""

from collections.abc import Callable, Mapping
from typing import Any

from celery import Celery
from celery.signals import setup_logging, task_prerun, worker_shutdown
from django.conf import settings
from django.db import close_old_connections, connections


def worker_app(name: str, tasks: Mapping[str, Callable[..., None]], **options: Any) -> Celery:
    """Return the app of one worker, whose queue is called as it is."""
    app = Celery(name, set_as_current=False, fixups=())
    app.conf.update(settings.CELERY, task_default_queue=name, **options)
    for task, function in tasks.items():
        app.task(name=task)(function)
    return app


def _before_a_task(**_: object) -> None:
    # Takes away a connection that is too old or was cut, as the beginning of a request does.
    close_old_connections()


def _at_the_end(**_: object) -> None:
    connections.close_all()


# Whoever listens to this sets the log up; Django did, as the settings say, and Celery leaves it alone.
setup_logging.connect(lambda **_: None, weak=False)
task_prerun.connect(_before_a_task)
worker_shutdown.connect(_at_the_end)
