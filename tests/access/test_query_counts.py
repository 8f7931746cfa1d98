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
# Of these, session and person take two, and whether somebody teaches takes one more.
QUERIES = {
    "healthz": 0,
    "readyz": 3,
    "account_logout": 3,
    "account_inactive": 3,
    "account_change_password": 3,
    "account_reauthenticate": 11,
    "account_reset_password": 3,
    "account_reset_password_done": 3,
    "account_reset_password_from_key": 6,
    "account_reset_password_from_key_done": 3,
    "mfa_index": 5,
    "join": 3,
    "join_cohort": 7,
    "home": 15,
    "module": 11,
    "module_map": 11,
    "whole_module": 3,
    "glossary": 3,
    "notation": 3,
    "card": 6,
    "card_fifteen": 4,
    "card_deep": 4,
    "keys": 3,
    "status": 8,
    "assignments": 8,
    "assignment": 8,
    "question": 5,
    "sitting_time": 3,
    "hand_in": 5,
    "review": 5,
    "report_reviewed": 5,
    "report_practised": 6,
    "practice": 7,
    "practice_concept": 4,
    "practice_idea": 4,
    "practice_question": 5,
    "practice_answer": 6,
    "exercises": 5,
    "exercise": 7,
    "submission": 10,
    "submission_status": 7,
    "cohorts": 4,
    "cohort": 21,
    "cohort_csv": 13,
    "cohort_join_code": 6,
    "cohort_reports": 6,
    "cohort_report": 5,
    "cohort_analyses": 8,
    "cohort_analysis": 10,
    "cohort_analysis_csv": 7,
    "cohort_item": 10,
    "cohort_exercise_mark": 9,
    "cohort_lms": 12,
    "cohort_mark": 14,
    "cohort_exercises": 10,
    "cohort_exercise": 7,
    "cohort_roster": 6,
    "cohort_as_learner": 14,
    "cohort_xlsx": 13,
    "cohort_beliefs": 12,
    "cohort_beliefs_csv": 11,
    "cohort_belief": 12,
    "cohort_belief_learners": 12,
    "cohort_learner": 12,
    "cohort_time": 14,
    "cohort_assignments": 7,
    "cohort_assignment_add": 6,
    "cohort_assignment": 14,
    "cohort_sitting": 7,
    "cohort_submission": 8,
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
