"""Who may see which page, and how many queries it takes."""

import pytest
from django.urls import reverse
from django.utils import timezone

from quizzes import sittings
from tests.factories import (
    make_assignment,
    make_enrolment,
    make_instructor,
    make_learner,
    make_sitting,
    make_user,
)
from tests.quizzes.answering import answer_and_hand_in, slot_of
from tests.quizzes.browsing import address, as_script

pytestmark = pytest.mark.django_db


PAGES = ["question", "question_flag", "hand_in", "review"]


@pytest.mark.parametrize("name", PAGES)
def test_nobody_else_finds_a_sitting(name, sitting, signed_in, client):
    url = address(name, sitting, 1) if name.startswith("question") else address(name, sitting)
    cohort = sitting.assignment.cohort
    for other in (make_learner(cohort), make_user(), make_instructor(cohort), make_instructor()):
        assert signed_in(other).get(url).status_code in (404, 405)
        assert signed_in(other).post(url, {"revision": "0", "flagged": "1"}).status_code in (404, 405)
    assert client.get(url).status_code in (302, 405)
    assert client.post(url).url.startswith(reverse("account_login"))
    sitting.refresh_from_db()
    assert not sitting.is_closed


def test_a_question_beyond_the_paper_is_not_found(browser, sitting):
    assert browser.get(address("question", sitting, 10)).status_code == 404
    assert browser.post(address("question_flag", sitting, 0), {"flagged": "1"}).status_code == 404


def test_a_withdrawn_learner_keeps_the_review_and_cannot_go_on(signed_in):
    sitting = make_sitting(make_assignment(attempts=2))
    sitting.enrolment.withdrawn_at = timezone.now()
    sitting.enrolment.save()
    browser = signed_in(sitting.enrolment.user)

    page = browser.post(address("question", sitting, 1), {"revision": "0", "choice": "1"}, follow=True)
    assert "You have left this cohort" in page.content.decode()
    sittings.hand_in(sitting.pk)
    assert browser.get(address("review", sitting)).status_code == 200
    assert browser.get(reverse("assignment", args=[sitting.assignment_id])).status_code == 200


@pytest.mark.parametrize(
    ("name", "queries"), [("question", 4), ("hand_in", 4), ("assignments", 6), ("assignment", 6), ("review", 4)]
)
def test_a_page_asks_the_database_a_fixed_number_of_times(name, queries, sitting, browser, django_assert_num_queries):
    if name == "review":
        answer_and_hand_in(sitting)
    args = {"question": [sitting.pk, 1], "assignments": [], "assignment": [sitting.assignment_id]}
    url = reverse(name, args=args.get(name, [sitting.pk]))
    browser.get(url)

    with django_assert_num_queries(queries):
        browser.get(url)


def test_the_list_costs_the_same_for_many_tests(sitting, browser, django_assert_num_queries):
    for _ in range(5):
        make_sitting(make_assignment(sitting.assignment.cohort), user=sitting.enrolment.user)
    browser.get(reverse("assignments"))

    with django_assert_num_queries(6):
        browser.get(reverse("assignments"))


def test_saving_costs_a_fixed_number_of_queries(sitting, browser, django_assert_num_queries):
    slot = slot_of(sitting, "single")
    url = address("question", sitting, slot.position)

    # Session, person, a transaction, the response with its sitting locked, the answer, the event.
    with django_assert_num_queries(7):
        as_script(browser, url, {"revision": "0", "choice": "1"})


def test_starting_costs_a_fixed_number_of_queries_however_long_the_paper_is(
    sitting, browser, django_assert_num_queries
):
    cohort, seed = sitting.assignment.cohort, sitting.seed  # the same questions, so that their snapshots are there
    browser.post(reverse("sitting_open", args=[make_assignment(cohort, seed=seed).pk]))
    url = reverse("sitting_open", args=[make_assignment(cohort, seed=seed).pk])

    # Session, person, test, enrolment; in a transaction: lock, earlier sittings, extra time, snapshots, sitting,
    # slots and their keys, responses, event; then where to go.
    with django_assert_num_queries(13):
        browser.post(url)


def test_an_enrolment_in_two_cohorts_lists_each_test_once(signed_in):
    learner = make_learner()
    other = make_enrolment(user=learner).cohort
    make_assignment(learner.enrolments.first().cohort, title="Here")
    make_assignment(other, title="There")

    html = signed_in(learner).get(reverse("assignments")).content.decode()

    assert html.count("Here</span>") == html.count("There</span>") == 1
