"""`manage.py check` over the whole course: every fault of every file at once, with file, line, key and reason."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from courseware.concepts.course import load_course
from courseware.concepts.faults import Faults
from courseware.concepts.repetition import check_repetition
from grader.exercises import load_exercises, report_unknown_beliefs
from quizzes.bank import load_bank
from quizzes.bank_rules import check_echoes


def load_whole_course() -> None:
    """Raise BrokenCourse, naming every fault, unless cards, banks and exercises can all be served."""
    _read_everything().raise_if_any()


@register("content")
def course_is_whole(app_configs: Sequence[Any] | None, **kwargs: Any) -> list[CheckMessage]:  # noqa: ARG001
    """Report each content fault as an error of `manage.py check`, repeated sentences and echoed questions among them.

    These spoil nothing but the reading, so a course that has some is served all the same.
    """
    faults = _read_everything()
    check_repetition(settings.COURSE_PATH, faults)
    check_echoes(settings.COURSE_PATH, faults)
    return [Error(f"{fault.key}: {fault.reason}", obj=f"{fault.path}:{fault.line}") for fault in faults]


def _read_everything() -> Faults:
    faults = Faults()
    course = load_course(settings.COURSE_PATH, faults)
    load_bank(course, faults)
    exercises = load_exercises(settings.COURSE_PATH, faults)
    report_unknown_beliefs(exercises.values(), course.misconceptions.keys() | course.slips.keys(), faults)
    return faults
