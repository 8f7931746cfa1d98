"""What a cohort’s programs tell: by check, by diagnosis, by behaviour without a name; and what changed since."""

import pytest
from django.urls import reverse

from courseware.accounts.models import Cohort, User
from courseware.results.programs import difference, programs_of
from grader.catalogue import current_exercises
from grader.models import CheckResult, Submission
from tests.access.cast import EXERCISE, withdraw
from tests.factories import make_cohort, make_finished, make_instructor, make_learner, make_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort()


def _checked(user: User, *failing: str, **fields) -> Submission:
    """Return a graded submission at which these checks fail."""
    submission = make_finished(user=user, **fields)
    CheckResult.objects.bulk_create(
        CheckResult(
            submission=submission, position=at, check_id=check.id, title=check.title,
            outcome="fails" if check.id in failing else "holds",
        )
        for at, check in enumerate(current_exercises()[EXERCISE].checks)
    )  # fmt: skip
    return submission


def _found(cohort):
    return programs_of(cohort, current_exercises()[EXERCISE])


def test_checks_are_counted_in_each_learners_latest_submission(cohort):
    one, other = make_learner(cohort), make_learner(cohort)
    first = current_exercises()[EXERCISE].checks[0]
    _checked(one, first.id)
    _checked(one)
    _checked(other, first.id)
    _checked(make_learner(make_cohort()), first.id)

    lines = _found(cohort).checks

    assert [(line.title, line.holds, line.reached) for line in lines[:2]] == [
        (first.title, 1, 2),
        (lines[1].title, 2, 2),
    ]


def test_diagnoses_count_learners_and_beliefs_come_with_their_page(cohort, signed_in):
    one, other = make_learner(cohort), make_learner(cohort)
    for user in (one, one, other):
        make_finished(user=user, misconception_ids=["m03-divide-by-dk"])
    make_finished(user=other, kind="run", mark=None, misconception_ids=["m03-divide-by-dk"])

    (line,) = _found(cohort).diagnoses

    assert (line.learners, line.submissions, line.is_belief) == (2, 3, True)
    page = signed_in(make_instructor(cohort)).get(reverse("cohort_exercise", args=[cohort.pk, EXERCISE]))
    assert reverse("cohort_belief", args=[cohort.pk, line.id]) in page.content.decode()


def test_programs_that_behave_alike_stand_together_the_most_widely_shared_first(cohort, signed_in):
    check = current_exercises()[EXERCISE].checks[0]
    alone = make_learner(cohort)
    for _ in range(3):
        _checked(alone, check.id, behaviour_signature="a" * 64)
    shared = [_checked(make_learner(cohort), check.id, behaviour_signature="b" * 64) for _ in range(2)]
    make_finished(user=alone, behaviour_signature="c" * 64, misconception_ids=["m03-no-scale"])
    make_finished(user=alone, verdict="error")

    found = _found(cohort)

    assert found.unmatched == 5
    assert [(each.signature[0], each.learners, each.submissions) for each in found.behaviours] == [
        ("b", 2, 2),
        ("a", 1, 3),
    ]
    assert found.behaviours[0].failing == (check.title,)
    page = signed_in(make_instructor(cohort)).get(reverse("cohort_exercise", args=[cohort.pk, EXERCISE]))
    for submission in shared:
        assert reverse("cohort_submission", args=[cohort.pk, submission.pk]) in page.content.decode()


def test_those_who_left_are_not_counted(cohort):
    left = make_learner(cohort)
    make_finished(user=left)
    withdraw(left, cohort)

    assert _found(cohort).learners == 0


def test_a_submission_shows_what_changed_since_the_one_before(cohort, signed_in):
    learner = make_learner(cohort)
    first = make_finished(user=learner, source="a = 1\nb = 2\n")
    make_finished(user=learner, kind="run", mark=None, source="c = 3")
    second = make_finished(user=learner, source="a = 1\nb = '<3>'\n")
    waiting = make_submission(user=learner, source=second.source)

    assert difference(first) is None
    number, lines = difference(second)
    assert number == first.number
    assert [(line.sign, line.text) for line in lines] == [("", "a = 1"), ("−", "b = 2"), ("+", "b = '<3>'")]
    assert difference(waiting) == (second.number, ())
    page = signed_in(make_instructor(cohort)).get(reverse("cohort_submission", args=[cohort.pk, second.pk]))
    assert "b = &#x27;&lt;3&gt;&#x27;</code>" in page.content.decode()


def test_the_list_tells_who_is_stuck(cohort, signed_in):
    learner = make_learner(cohort)
    for _ in range(3):
        make_finished(user=learner)

    page = " ".join(
        signed_in(make_instructor(cohort)).get(reverse("cohort_exercises", args=[cohort.pk])).content.decode().split()
    )

    assert "0 of 1 who began have passed; 1 stuck." in page
    assert "Nobody has begun." in page
