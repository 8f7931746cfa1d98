"""Which of several attempts counts, on every page that names a result."""

import pytest
from django.urls import reverse

from quizzes import sittings
from quizzes.counting import counting
from quizzes.models import Counts, Sitting
from quizzes.opening import open_sitting
from tests.factories import make_assignment, make_instructor, make_sitting
from tests.quizzes.answering import right_answer

pytestmark = pytest.mark.django_db

# Marks by attempt: the second is best, and equal to the third.
RIGHT_BY_ATTEMPT = (1, 3, 3, 2)


@pytest.fixture
def assignment():
    """A test with four attempts handed in by one learner."""
    assignment = make_assignment(title="Thrice", attempts=5)
    sitting = make_sitting(assignment)
    for right in RIGHT_BY_ATTEMPT:
        for slot in sitting.slots.select_related("snapshot")[:right]:
            sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)
        sittings.hand_in(sitting.pk)
        sitting = open_sitting(sitting.enrolment, assignment)
    return assignment


@pytest.mark.parametrize(("rule", "attempt"), [(Counts.BEST, 2), (Counts.LAST, 4), (Counts.FIRST, 1)])
def test_the_rule_names_the_attempt_and_an_open_one_never_counts(assignment, rule, attempt):
    assert counting(rule, Sitting.objects.filter(assignment=assignment)).attempt == attempt


def test_nothing_counts_before_something_is_handed_in():
    make_sitting()

    assert counting(Counts.BEST, Sitting.objects.all()) is None


@pytest.mark.parametrize(("rule", "mark"), [(Counts.BEST, 3), (Counts.LAST, 2), (Counts.FIRST, 1)])
def test_learner_instructor_and_csv_show_the_same_result(assignment, rule, mark, signed_in):
    assignment.counts = rule
    assignment.save()
    open_one = Sitting.objects.get(assignment=assignment, closed_at=None)
    sittings.hand_in(open_one.pk) if rule != Counts.LAST else open_one.delete()
    learner, teacher = signed_in(open_one.enrolment.user), signed_in(make_instructor(assignment.cohort))

    cover = learner.get(reverse("assignment", args=[assignment.pk])).content.decode()
    cohort = teacher.get(reverse("cohort", args=[assignment.cohort_id])).content.decode()
    csv = b"".join(teacher.get(reverse("cohort_csv", args=[assignment.cohort_id]))).decode()

    assert f"{mark} of 9, handed in" in cover
    assert f"5 attempts; the {rule} one counts." in cover
    assert f">{mark} of 9</a>" in cohort
    assert f",{mark},9," in csv
