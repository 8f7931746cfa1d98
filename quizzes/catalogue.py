"""The bank of the course that this process serves, read once."""

from functools import lru_cache
from pathlib import Path

from django.conf import settings

from courseware.concepts.course import Course, current
from courseware.concepts.faults import Faults
from quizzes.bank import Bank, load_bank


def current_bank() -> Bank:
    """Return the banks of the course at COURSE_PATH.

    Errors:  BrokenCourse with every fault, which stops the start of the process
    """
    return _bank_at(settings.COURSE_PATH)


@lru_cache(maxsize=4)
def _bank_at(path: Path) -> Bank:  # noqa: ARG001  (the path is the key: another course is another bank)
    faults = Faults()
    course: Course = current()
    bank = load_bank(course, faults)
    faults.raise_if_any()
    return bank
