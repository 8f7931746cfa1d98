"""The exercises of the course that this server serves, read once per process."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from django.conf import settings

from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercises
from grader.exercises import Exercise


def current_exercises() -> Mapping[str, Exercise]:
    """Return the exercises by slug, in the course's order.

    Errors:  BrokenCourse, naming every fault, if an exercise cannot be served
    """
    return _exercises_at(settings.COURSE_PATH)


def exercises_of(concept_id: str) -> tuple[Exercise, ...]:
    """Return the exercises that belong to one concept."""
    return tuple(exercise for exercise in current_exercises().values() if exercise.concept_id == concept_id)


@lru_cache(maxsize=4)  # tests switch between a few course directories; a server has one
def _exercises_at(course_path: Path) -> Mapping[str, Exercise]:
    faults = Faults()
    exercises = load_exercises(Path(course_path), faults)
    faults.raise_if_any()
    return MappingProxyType(exercises)
