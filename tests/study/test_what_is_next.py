"""Where the first button of the home page leads, in each state that a learner can be in."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from courseware.concepts import course
from courseware.study.models import Depth
from courseware.study.overview import overview_of
from courseware.study.readings import note_reading
from quizzes import self_checks, sittings
from quizzes.catalogue import current_bank
from tests.access.cast import CONCEPT
from tests.factories import make_assignment, make_cohort, make_learner, make_sitting

pytestmark = pytest.mark.django_db


@pytest.fixture
def learner():
    return make_learner(make_cohort(name="Cohort"))


def _read(learner, *depths: Depth, concept: str = CONCEPT) -> None:
    for depth in depths:
        note_reading(learner, "transformers", concept, depth)


def _first_written() -> course.Concept:
    return next(each for each in course.current().module.concepts if each.card)


def test_a_newcomer_starts_with_the_first_card_that_is_written(learner):
    following = overview_of(learner).next

    assert following.url == reverse("card", args=[_first_written().id])
    assert following.label == f"Start: {_first_written().number}, {_first_written().title}"
    assert following.is_first


@pytest.mark.parametrize(
    ("read", "page", "words"),
    [
        ([Depth.FIVE], "card_fifteen", "The fifteen lines are next."),
        ([Depth.FIVE, Depth.FIFTEEN], "card_deep", "The deep dive is next."),
        ([Depth.DEEP], "card", "The five lines are next."),
    ],
)
def test_the_next_depth_of_the_card_last_read_comes_next(learner, read, page, words):
    _read(learner, *read)

    following = overview_of(learner).next

    assert (following.url, following.words) == (reverse(page, args=[CONCEPT]), words)
    assert following.label.startswith("Continue: ")
    assert not following.is_first


def test_after_all_depths_one_question_is_left(learner):
    _read(learner, *Depth)

    following = overview_of(learner).next

    assert following.url == reverse("card", args=[CONCEPT]) + "#check"
    assert following.words == "You have read it all. One question is left."


def test_after_the_question_too_there_is_the_deep_dive_to_look_things_up(learner):
    _read(learner, *Depth)
    self_checks.pick(learner, CONCEPT, current_bank().self_checks[CONCEPT].task.options[0].id)

    assert overview_of(learner).next.url == reverse("card_deep", args=[CONCEPT])


def test_the_card_last_read_is_the_one_that_counts(learner):
    written = [each.id for each in course.current().module.concepts if each.card]
    _read(learner, Depth.FIVE, concept=written[0])
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        _read(learner, Depth.FIVE, concept=written[-1])

    assert overview_of(learner).next.url == reverse("card_fifteen", args=[written[-1]])


def test_an_open_test_comes_before_every_card(learner):
    _read(learner, Depth.FIVE)
    assignment = make_assignment(learner.enrolments.get().cohort, title="Module test", attempts=2)
    sitting = make_sitting(assignment, user=learner)

    following = overview_of(learner).next

    assert (following.url, following.label) == (reverse("assignment", args=[assignment.pk]), "Continue: Module test")
    sittings.hand_in(sitting.pk)
    assert overview_of(learner).next.url == reverse("card_fifteen", args=[CONCEPT])


def test_a_test_whose_time_is_up_is_not_gone_on_with(learner, signed_in):
    assignment = make_assignment(learner.enrolments.get().cohort, title="Module test", minutes=10)
    make_sitting(assignment, user=learner)

    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        page = signed_in(learner).get(reverse("home")).content.decode()

    assert "Continue: Module test" not in page
    assert "Handed in" in page


def test_a_learner_who_left_the_cohort_is_led_to_hand_in_and_not_to_go_on(learner, signed_in):
    enrolment = learner.enrolments.get()
    sitting = make_sitting(make_assignment(enrolment.cohort), user=learner)
    enrolment.withdrawn_at = timezone.now()
    enrolment.save()
    browser, cover = signed_in(learner), reverse("assignment", args=[sitting.assignment_id])

    following = overview_of(learner).next
    page = browser.get(cover).content.decode()

    assert following.url != cover
    assert "You have left this cohort" in page
    assert f'href="{reverse("hand_in", args=[sitting.pk])}"' in page
    assert reverse("sitting_open", args=[sitting.assignment_id]) not in page
    assert browser.post(reverse("hand_in", args=[sitting.pk])).url == reverse("review", args=[sitting.pk])


def test_a_card_that_left_the_course_leads_to_the_start(learner):
    _read(learner, Depth.FIVE, concept="no-longer-in-the-course")

    assert overview_of(learner).next.url == reverse("card", args=[_first_written().id])


def test_the_module_page_offers_the_same(learner, signed_in):
    _read(learner, Depth.FIVE)
    following = overview_of(learner).next

    page = signed_in(learner).get(reverse("module", args=["transformers"])).content.decode()

    assert f'href="{following.url}">{following.label}</a>' in page


def test_the_overview_counts_what_was_read_and_answered_rightly(learner):
    _read(learner, Depth.FIVE, Depth.DEEP)
    right = next(option for option in current_bank().self_checks[CONCEPT].task.options if option.is_right)
    self_checks.pick(learner, CONCEPT, right.id)

    overview = overview_of(learner)

    assert (overview.read, overview.checks_right) == (1, 1)
    (row,) = (row for row in overview.rows if row.concept.id == CONCEPT)
    assert row.standing.words == "Self-check right"
