"""Wiring that happens once per process."""

from django.apps import AppConfig


class CoursewareConfig(AppConfig):
    name = "courseware"

    def ready(self) -> None:
        # All register themselves on import: the Celery app as the default one, the checks and the events with Django.
        from courseware import celery, checks  # noqa: F401
        from courseware.operations import events  # noqa: F401
