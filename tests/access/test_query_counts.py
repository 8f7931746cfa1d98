"""How often each page asks the database: exactly so often, and no oftener when there is ten times as much."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import Role
from courseware.accounts.people import enrol
from quizzes.sittings import hand_in
from tests.access.cast import Cast, arguments, make_cast, practise, read_and_pick, report
from tests.access.table import EXPECTED, NAMES
from tests.factories import make_assignment, make_finished, make_judge, make_learner, make_sitting, make_submission

pytestmark = pytest.mark.django_db

PAGES = [name for name in NAMES if "200" in (EXPECTED[name, "GET"]["owner"], EXPECTED[name, "GET"]["instructor"])]
# Of these, session and person take two.
QUERIES = {
    "healthz": 0,
    "readyz": 3,
    "account_logout": 2,
    "account_inactive": 2,
    "account_change_password": 2,
    "account_reauthenticate": 10,
    "account_reset_password": 2,
    "account_reset_password_done": 2,
    "account_reset_password_from_key": 5,
    "account_reset_password_from_key_done": 2,
    "mfa_index": 4,
    "join": 2,
    "join_cohort": 6,
    "home": 12,
    "module": 9,
    "module_map": 9,
    "whole_module": 2,
    "glossary": 2,
    "notation": 2,
    "card": 5,
    "card_fifteen": 3,
    "card_deep": 3,
    "keys": 2,
    "status": 6,
    "assignments": 6,
    "assignment": 6,
    "question": 4,
    "sitting_time": 3,
    "hand_in": 4,
    "review": 4,
    "report_reviewed": 4,
    "report_practised": 5,
    "practice": 5,
    "practice_concept": 3,
    "practice_idea": 3,
    "practice_question": 4,
    "practice_answer": 5,
    "exercises": 4,
    "exercise": 5,
    "submission": 9,
    "submission_status": 7,
    "cohorts": 3,
    "cohort": 10,
    "cohort_csv": 8,
    "cohort_join_code": 4,
    "cohort_reports": 5,
    "cohort_report": 7,
    "cohort_analyses": 7,
    "cohort_analysis": 9,
    "cohort_analysis_csv": 7,
    "cohort_item": 9,
    "cohort_exercise_mark": 7,
    "cohort_lms": 7,
    "cohort_mark": 11,
    "cohort_exercises": 6,
    "cohort_exercise": 6,
    "cohort_roster": 5,
    "cohort_as_learner": 12,
    "cohort_xlsx": 8,
    "cohort_beliefs": 10,
    "cohort_beliefs_csv": 10,
    "cohort_belief": 11,
    "cohort_belief_learners": 11,
    "cohort_learner": 10,
    "cohort_time": 11,
    "cohort_assignments": 5,
    "cohort_assignment_add": 4,
    "cohort_assignment": 11,
    "cohort_sitting": 6,
    "cohort_submission": 7,
}


def _queries(cast: Cast, name: str, signed_in) -> int:
    reader = cast.owner if EXPECTED[name, "GET"]["owner"] == "200" else cast.instructor
    browser, path = signed_in(reader), reverse(name, args=arguments(cast, name))
    assert browser.get(path).status_code == 200  # the first visit may write down that it was one
    with CaptureQueriesContext(
        connection,
    ) as asked:
        response = browser.get(path)
        b"".join(response)  # a file is written while it is sent
    return len(asked)


def _grow(cast: Cast) -> None:
    """Let ten more of everything be there that a page may list."""
    long_ago = timezone.now() - timedelta(days=9)  # so that what a page shows as the newest stays the newest
    for number in range(10):
        assignment = make_assignment(cast.cohort, title=f"Another test {number}")
        hand_in(make_sitting(assignment, user=cast.owner).pk)
        make_finished(user=cast.owner, queued_at=long_ago)
        make_judge()
        learner = make_learner(cast.cohort)
        report(learner, hand_in(make_sitting(cast.assignment, user=learner).pk))
        make_finished(user=learner)
        make_submission(user=learner)
        read_and_pick(learner)
        practise(cast.owner)
        enrol(cast.instructor, make_learner().enrolments.get().cohort, Role.INSTRUCTOR)


def test_each_page_asks_as_often_as_stated_and_no_oftener_when_there_is_more(signed_in):
    cast = make_cast()
    make_judge()

    few = {name: _queries(cast, name, signed_in) for name in PAGES}
    _grow(cast)
    many = {name: _queries(cast, name, signed_in) for name in PAGES}

    assert few == QUERIES
    assert many == QUERIES
