"""Rows for tests. Every function works without arguments; a test states only what matters to it."""

import itertools

from django.utils import timezone

from courseware.accounts.models import Cohort, Enrolment, Role, User
from grader.catalogue import current_exercises
from grader.models import JudgeHost, Kind, Submission
from quizzes.models import Assignment, Sitting
from quizzes.opening import open_sitting

PASSWORD = "a long enough phrase"  # what everybody made here signs in with

_numbers = itertools.count(1)


def make_user(**fields) -> User:
    number = next(_numbers)
    fields.setdefault("email", f"person{number}@example.org")
    fields.setdefault("name", f"Person {number}")
    return User.objects.create_user(password=PASSWORD, **fields)


def make_cohort(**fields) -> Cohort:
    fields.setdefault("name", f"Cohort {next(_numbers)}")
    fields.setdefault("module", "transformers")
    return Cohort.objects.create(**fields)


def make_enrolment(*, user: User | None = None, cohort: Cohort | None = None, **fields) -> Enrolment:
    fields.setdefault("role", Role.LEARNER)
    return Enrolment.objects.create(user=user or make_user(), cohort=cohort or make_cohort(), **fields)


def make_learner(cohort: Cohort | None = None) -> User:
    """A person who learns in a cohort."""
    return make_enrolment(cohort=cohort).user


def make_instructor(cohort: Cohort | None = None) -> User:
    """A person who teaches a cohort."""
    return make_enrolment(cohort=cohort, role=Role.INSTRUCTOR).user


def make_assignment(cohort: Cohort | None = None, **fields) -> Assignment:
    """A test of the course's own blueprint."""
    fields.setdefault("blueprint", "module-test")
    fields.setdefault("title", f"Test {next(_numbers)}")
    return Assignment.objects.create(cohort=cohort or make_cohort(), **fields)


def make_sitting(assignment: Assignment | None = None, *, user: User | None = None, seed: str = "seven") -> Sitting:
    """An open sitting, drawn as the site draws it."""
    assignment = assignment or make_assignment()
    user = user or make_user()
    enrolment = Enrolment.objects.filter(user=user, cohort=assignment.cohort).first() or make_enrolment(
        user=user, cohort=assignment.cohort
    )
    sitting = open_sitting(enrolment, assignment, seed=seed)
    assert isinstance(sitting, Sitting)
    return sitting


def make_submission(*, user: User | None = None, exercise: str = "attention", **fields) -> Submission:
    """A queued submission of one of the course's exercises."""
    known = current_exercises()[exercise]
    fields.setdefault("kind", Kind.SUBMIT)
    fields.setdefault("source", known.starter)
    fields.setdefault("number", next(_numbers))
    fields.setdefault("marks_available", known.marks if fields["kind"] == Kind.SUBMIT else None)
    return Submission.objects.create(
        user=user or make_user(), exercise=exercise, exercise_digest=known.digest, **fields
    )


def make_finished(*, verdict: str = "wrong", mark: int | None = 4, **fields) -> Submission:
    """A submission whose verdict is the learner's own doing, without checks or evidence."""
    fields.setdefault("finished_at", timezone.now())
    return make_submission(state="finished", verdict=verdict, fault_of="learner", mark=mark, **fields)


def make_judge(**fields) -> JudgeHost:
    """A judge that has just reported itself and grades NumPy."""
    fields.setdefault("name", f"judge-{next(_numbers)}")
    fields.setdefault("seen_at", timezone.now())
    fields.setdefault("rung", "namespaces")
    fields.setdefault("device", "cpu")
    fields.setdefault("exercises_digest", "0" * 64)
    fields.setdefault("libraries", ["numpy"])
    return JudgeHost.objects.create(**fields)
