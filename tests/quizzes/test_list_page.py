"""The list of tests and the cover of one."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from quizzes import sittings
from quizzes.models import Sitting
from tests.factories import (
    make_assignment,
    make_cohort,
    make_instructor,
    make_learner,
    make_sitting,
)
from tests.quizzes.answering import right_answer
from tests.quizzes.browsing import address

pytestmark = pytest.mark.django_db


def test_without_a_test_the_list_says_what_will_be_here(signed_in):
    page = signed_in(make_learner()).get(reverse("assignments"))

    assert "No test yet" in page.content.decode()


@pytest.mark.parametrize("state", ["Open", "In progress", "Handed in", "Not yet open", "Closed"])
def test_the_list_says_how_each_test_stands(signed_in, state):
    learner = make_learner()
    cohort = learner.enrolments.get().cohort
    now = timezone.now()
    window = {
        "Not yet open": {"opens_at": now + timedelta(days=1)},
        "Closed": {"closes_at": now - timedelta(days=1)},
    }.get(state, {})
    assignment = make_assignment(cohort, **window)
    if state in ("In progress", "Handed in"):
        opened = make_sitting(assignment, user=learner)
        if state == "Handed in":
            sittings.hand_in(opened.pk)

    html = signed_in(learner).get(reverse("assignments")).content.decode()

    assert f"{state}</span>" in html
    assert ("0 of 9" in html) == (state == "Handed in")


def test_a_test_of_another_cohort_is_neither_listed_nor_found(signed_in):
    foreign = make_assignment(title="Foreign test")
    browser = signed_in(make_learner())

    assert "Foreign test" not in browser.get(reverse("assignments")).content.decode()
    assert browser.get(reverse("assignment", args=[foreign.pk])).status_code == 404
    assert browser.post(reverse("sitting_open", args=[foreign.pk])).status_code == 404


def test_staff_sit_no_test_of_their_own_cohort(signed_in):
    cohort = make_cohort()
    assignment = make_assignment(cohort)

    assert signed_in(make_instructor(cohort)).post(reverse("sitting_open", args=[assignment.pk])).status_code == 404


def test_the_cover_tells_what_is_coming_and_starts_by_a_post(signed_in):
    learner = make_learner()
    assignment = make_assignment(learner.enrolments.get().cohort)
    browser = signed_in(learner)

    html = browser.get(reverse("assignment", args=[assignment.pk])).content.decode()

    assert "9 questions" in html
    assert "One attempt" in html
    assert "There is no time limit" in html
    assert browser.get(reverse("sitting_open", args=[assignment.pk])).status_code == 405
    started = browser.post(reverse("sitting_open", args=[assignment.pk]))
    assert started.url == address("question", Sitting.objects.get(), 1)


def test_continuing_leads_to_the_first_open_question(browser, sitting):
    first = sitting.slots.get(position=1)
    sittings.record_answer(sitting.pk, 1, right_answer(first), 0)

    response = browser.post(reverse("sitting_open", args=[sitting.assignment_id]))

    assert response.url == address("question", sitting, 2)


def test_a_start_that_is_refused_says_why(browser, sitting):
    sittings.hand_in(sitting.pk)

    page = browser.post(reverse("sitting_open", args=[sitting.assignment_id]), follow=True)

    assert "Every attempt at this test has been used." in page.content.decode()
