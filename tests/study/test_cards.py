"""Cards as pages: what opening one leaves behind, and which there are."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from courseware.concepts import course
from courseware.study.models import Depth, Reading
from tests.access.cast import CONCEPT
from tests.factories import make_learner
from tests.quizzes.every_kind import course_of_every_kind

pytestmark = pytest.mark.django_db

PAGES = {Depth.FIVE: "card", Depth.FIFTEEN: "card_fifteen", Depth.DEEP: "card_deep"}


@pytest.fixture
def learner():
    return make_learner()


@pytest.fixture
def browser(signed_in, learner):
    return signed_in(learner)


@pytest.fixture
def in_preparation(tmp_path, settings):
    """A concept without a card, of a course that is still being written."""
    settings.COURSE_PATH = course_of_every_kind(tmp_path)
    return next(each for each in course.current().module.concepts if each.card is None)


@pytest.mark.parametrize("depth", Depth)
def test_opening_a_card_is_noted_once_for_each_depth(browser, learner, depth):
    for _ in range(3):
        browser.get(reverse(PAGES[depth], args=[CONCEPT]))

    (reading,) = Reading.objects.all()
    assert (reading.user, reading.module, reading.concept, reading.depth) == (learner, "transformers", CONCEPT, depth)
    assert reading.first_at == reading.last_at


def test_coming_back_later_is_noted_as_the_last_time_and_not_as_the_first(browser):
    browser.get(reverse("card", args=[CONCEPT]))
    first = Reading.objects.get()

    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        browser.get(reverse("card", args=[CONCEPT]))

    (again,) = Reading.objects.all()
    assert again.first_at == first.first_at
    assert again.last_at - first.last_at >= timedelta(hours=1)


def test_every_written_card_can_be_opened_at_every_depth(browser):
    for concept in course.current().module.concepts:
        if concept.card:
            for page in PAGES.values():
                assert browser.get(reverse(page, args=[concept.id])).status_code == 200, concept.id


@pytest.mark.parametrize("page", PAGES.values())
def test_a_card_in_preparation_is_not_found_and_nowhere_linked(browser, in_preparation, page):
    answer = browser.get(reverse(page, args=[in_preparation.id]))

    assert answer.status_code == 404
    assert not Reading.objects.exists()
    module = browser.get(reverse("module", args=[course.current().module.id])).content.decode()
    assert in_preparation.title in module
    assert "In preparation" in module
    assert reverse("card", args=[in_preparation.id]) not in module


@pytest.mark.parametrize(
    "path", ["/concepts/no-such/", "/concepts/no-such/deep/", "/modules/no-such/", f"/concepts/{CONCEPT}/twenty/"]
)
def test_what_the_course_does_not_have_is_not_found(browser, path):
    assert browser.get(path).status_code == 404


def test_a_card_in_preparation_takes_no_pick(browser, in_preparation):
    assert browser.post(reverse("self_check_pick", args=[in_preparation.id]), {"choice": "1"}).status_code == 404
