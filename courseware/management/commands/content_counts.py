"""Prints what the course holds: what an author looks at before saying that a bank is complete."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from courseware.concepts.course import load_course
from courseware.concepts.faults import Faults
from courseware.management.counting import aligned, count
from grader.exercise_files import load_exercises
from quizzes.bank import load_bank


class Command(BaseCommand):
    help = "Count questions, explanations and misconceptions, and say how easily the short texts read."
    requires_system_checks = ()  # a course with faults is counted as far as it goes

    def handle(self, *args: Any, **options: Any) -> None:  # noqa: ARG002
        faults = Faults()
        course = load_course(settings.COURSE_PATH, faults)
        bank = load_bank(course, faults)
        counted = count(course, bank, list(load_exercises(settings.COURSE_PATH, faults).values()))
        for table in (counted.concepts, counted.kinds):
            self.stdout.write("\n".join(aligned(table)) + "\n")
        for name, number in counted.totals.items():
            self.stdout.write(f"{number:6,} {name}")
        if counted.unused:
            self.stdout.write("\nNo question and no program shows: " + ", ".join(counted.unused))
        if faults:
            raise CommandError(f"The course has {len(faults)} faults; manage.py check names them.")
