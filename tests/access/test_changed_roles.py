"""Roles that end, change or come in twos: what somebody may still see, and from when on not."""

import pytest
from django.urls import reverse

from courseware.accounts.models import Cohort, Enrolment, Role, User
from courseware.accounts.people import enrol
from grader.models import State, Submission
from quizzes.models import Response, Sitting
from tests.access.cast import Cast, arguments, fields, make_cast, rows, withdraw
from tests.access.table import EXPECTED, FORMS, NAMES
from tests.factories import make_cohort, make_user

pytestmark = pytest.mark.django_db

_TEACHING = [name for name in NAMES if name.startswith("cohort") and EXPECTED[name, "GET"]["instructor"] == "200"]


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def _address(cast: Cast, name: str) -> str:
    return reverse(name, args=arguments(cast, name))


def _statuses(browser, cast: Cast, names: list[str]) -> dict[str, int]:
    return {name: browser.get(_address(cast, name)).status_code for name in names}


def test_a_learner_who_left_still_reads_everything_of_their_own(cast, signed_in):
    withdraw(cast.owner, cast.cohort)
    # A report goes to the staff of one's cohorts, and whoever has left has none.
    theirs = [name for name in NAMES if EXPECTED[name, "GET"]["owner"] == "200" and not name.startswith("report")]

    assert set(_statuses(signed_in(cast.owner), cast, theirs).values()) == {200}


def test_a_learner_who_left_can_change_nothing_in_the_cohorts_test(cast, signed_in):
    withdraw(cast.owner, cast.cohort)
    browser = signed_in(cast.owner)

    assert browser.post(_address(cast, "sitting_open")).status_code == 404
    browser.post(_address(cast, "question"), fields(cast, "question"))
    browser.post(_address(cast, "question_flag"), fields(cast, "question_flag"))

    assert not Response.objects.filter(slot__sitting=cast.open_sitting, revision__gt=0).exists()
    assert not cast.open_sitting.slots.filter(flagged=True).exists()
    assert Sitting.objects.count() == 2


def test_a_learner_who_left_goes_on_with_what_belongs_to_the_person(cast, signed_in):
    withdraw(cast.owner, cast.cohort)

    signed_in(cast.owner).post(_address(cast, "submit"), fields(cast, "submit"))

    assert Submission.objects.filter(user=cast.owner, state=State.QUEUED, source="x = 1").exists()


def test_staff_still_see_a_learner_who_left(cast, signed_in):
    withdraw(cast.owner, cast.cohort)

    assert set(_statuses(signed_in(cast.instructor), cast, _TEACHING).values()) == {200}


def test_staff_who_left_see_no_cohort_any_more(cast, signed_in):
    browser = signed_in(cast.instructor)
    withdraw(cast.instructor, cast.cohort)

    assert _statuses(browser, cast, _TEACHING) == {name: 200 if name == "cohorts" else 404 for name in _TEACHING}
    assert cast.cohort.name not in browser.get(reverse("cohorts")).content.decode()


def test_an_assistant_sees_what_an_instructor_sees_and_gives_neither_tests_nor_time(cast, signed_in):
    assistant = make_user()
    enrol(assistant, cast.cohort, Role.ASSISTANT)
    browser = signed_in(assistant)
    giving = {name for name in _TEACHING if EXPECTED[name, "GET"]["assistant"] == "403"}

    assert _statuses(browser, cast, _TEACHING) == {name: 403 if name in giving else 200 for name in _TEACHING}

    before = rows()
    for name in giving & set(FORMS):
        assert browser.post(_address(cast, name), fields(cast, name)).status_code == 403
    assert rows() == before
    for name in ("cohort", "cohort_learner"):
        assert "/tests/" not in browser.get(_address(cast, name)).content.decode().partition("<main")[2]


def test_an_account_that_was_closed_is_signed_out_at_once_and_loses_every_right(cast, signed_in):
    browser = signed_in(cast.instructor)
    User.objects.filter(pk=cast.instructor.pk).update(is_active=False)
    before = rows()

    for name in NAMES:
        for method, ask in (("GET", browser.get), ("POST", browser.post)):
            if EXPECTED[name, method]["stranger"] != "login":
                continue  # open to everybody, or to nobody by this method
            answer = ask(_address(cast, name), fields(cast, name) if method == "POST" else None)
            assert answer.status_code == 302
            assert answer["Location"].startswith(reverse("account_login"))
    assert rows() == before


def test_a_learner_here_who_teaches_there_sees_learners_there_alone(cast, signed_in):
    elsewhere = Cohort.objects.get(pk=cast.other_cohort.pk)
    enrol(cast.owner, elsewhere, Role.INSTRUCTOR)
    browser = signed_in(cast.owner)

    assert browser.get(reverse("cohort", args=[elsewhere.pk])).status_code == 200
    assert browser.get(reverse("cohort", args=[cast.cohort.pk])).status_code == 404
    # Their own submission belongs to no learner of the cohort that they teach.
    path = reverse("cohort_submission", args=[elsewhere.pk, cast.finished.pk])
    assert browser.get(path).status_code == 404


def test_staff_of_either_cohort_see_what_belongs_to_the_person_but_only_their_own_cohorts_sittings(cast, signed_in):
    enrol(cast.owner, cast.other_cohort, Role.LEARNER)
    browser = signed_in(cast.elsewhere)
    other = cast.other_cohort.pk

    page = browser.get(reverse("cohort_learner", args=[other, cast.owner.uuid])).content.decode()

    assert browser.get(reverse("cohort_submission", args=[other, cast.finished.pk])).status_code == 200
    assert browser.get(reverse("cohort_sitting", args=[other, cast.closed_sitting.pk])).status_code == 404
    assert "No test opened so far." in page
    assert cast.assignment.title not in page


def test_staff_read_no_answers_of_a_sitting_that_is_open(cast, signed_in):
    browser = signed_in(cast.instructor)

    path = reverse("cohort_sitting", args=[cast.cohort.pk, cast.open_sitting.pk])

    assert browser.get(path).status_code == 404


def test_a_learner_of_two_cohorts_sits_each_ones_test(cast, signed_in):
    second = make_cohort()
    enrol(cast.learner, second, Role.LEARNER)
    Enrolment.objects.filter(user=cast.learner, cohort=cast.other_cohort).update(section="B")

    html = signed_in(cast.learner).get(reverse("assignments")).content.decode()

    assert "Other test" in html
    assert "Owner’s test" not in html
