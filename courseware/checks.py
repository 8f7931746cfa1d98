"""`manage.py check` over the whole course: every fault of every file at once, with file, line, key and reason."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from courseware.concepts.course import Course, current, load_course, rendered_in
from courseware.concepts.faults import BrokenCourse, Faults
from courseware.concepts.repetition import check_repetition
from grader.catalogue import current_exercises
from grader.exercise_files import load_exercises, report_unknown_beliefs
from grader.exercises import Exercise
from quizzes.bank import load_bank
from quizzes.bank_rules import check_echoes
from quizzes.catalogue import current_bank


def load_whole_course() -> None:
    """Load what this process serves, once; raise BrokenCourse, naming every fault, unless all of it can be served."""
    try:
        course, exercises = current(), current_exercises()
        current_bank()
    except BrokenCourse:
        _read_everything().raise_if_any()  # what comes first hides the faults of the rest
        raise
    faults = Faults()
    _report_unknown_beliefs(course, exercises, faults)
    faults.raise_if_any()


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
    # What is rendered here is kept, so that the processes which start next find it.
    course = load_course(settings.COURSE_PATH, faults, cache=rendered_in(settings.VAR_PATH))
    load_bank(course, faults)
    _report_unknown_beliefs(course, load_exercises(settings.COURSE_PATH, faults), faults)
    return faults


def _report_unknown_beliefs(course: Course, exercises: Mapping[str, Exercise], faults: Faults) -> None:
    report_unknown_beliefs(exercises.values(), course.misconceptions.keys() | course.slips.keys(), faults)
