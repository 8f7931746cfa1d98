"""The best submit counts; runs, faults of ours and what was taken back do not."""

import pytest

from grader.models import Kind
from grader.standings import standings_in, standings_of
from tests.factories import make_cohort, make_finished, make_instructor, make_learner, make_submission, make_user

pytestmark = pytest.mark.django_db


def _standing(user):
    return standings_of(user).get("attention")


def test_nobody_stands_anywhere_before_a_submit():
    learner = make_user()
    make_finished(user=learner, kind=Kind.RUN, mark=None)

    assert _standing(learner) is None


def test_the_best_mark_counts_whatever_came_after_it():
    learner = make_user()
    for mark in (4, 9, 1):
        make_finished(user=learner, mark=mark)

    standing = _standing(learner)

    assert (standing.best_mark, standing.submits, standing.is_right) == (9, 3, False)


def test_a_right_submit_stays_right_beside_later_wrong_ones():
    learner = make_user()
    make_finished(user=learner, verdict="right", mark=10)
    make_finished(user=learner, mark=0)

    assert _standing(learner).is_right


def test_a_fault_that_is_not_the_learners_is_not_counted():
    learner = make_user()
    submission = make_finished(user=learner, mark=None)
    submission.fault_of, submission.verdict = "operator", "operator"
    submission.save()

    standing = _standing(learner)

    assert (standing.best_mark, standing.submits) == (None, 0)


def test_a_waiting_submit_is_live_and_has_no_mark():
    learner = make_user()
    make_submission(user=learner)

    standing = _standing(learner)

    assert (standing.is_live, standing.submits, standing.best_mark) == (True, 1, None)


def test_a_whole_cohort_takes_one_query(django_assert_num_queries):
    cohort = make_cohort()
    learners = [make_learner(cohort) for _ in range(5)]
    for learner in learners:
        make_finished(user=learner)
    make_finished(user=make_instructor(cohort))

    with django_assert_num_queries(1):
        assert {user for user, _ in standings_in(cohort)} == {learner.pk for learner in learners}
