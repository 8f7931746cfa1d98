"""Wiring that happens once per process."""

from django.apps import AppConfig


class CoursewareConfig(AppConfig):
    name = "courseware"

    def ready(self) -> None:
        # Both register themselves on import: the Celery app as the default one, the checks with Django.
        from courseware import celery, checks  # noqa: F401
