"""Moving a step without scripts: the page comes back with the step moved, and the same button is met again."""

import re

import pytest
from django.urls import reverse

from quizzes.catalogue import current_bank
from quizzes.models import PracticeAnswer, Response
from tests.factories import make_learner, make_sitting
from tests.quizzes.answering import slot_of
from tests.quizzes.browsing import address, form_of
from tests.quizzes.every_kind import course_of_every_kind

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return course_of_every_kind(tmp_path_factory.mktemp("every-kind") / "course")


@pytest.fixture
def sitting(settings, course):
    settings.COURSE_PATH = course
    return make_sitting()


def steps_of(response) -> list[str]:
    return re.findall(r'name="step" value="(\d)"', response.content.decode())


def test_a_move_is_saved_and_leads_back_to_the_button_that_made_it(browser, sitting):
    slot = slot_of(sitting, "order")
    url = address("question", sitting, slot.position)
    fields = {"revision": form_of(browser.get(url))["revision"], "step": ["1", "2", "3", "4", "5"], "move": "up-3"}

    reply = browser.post(url, fields)

    assert reply["Location"] == f"{url}#up-3"
    page = browser.get(url)
    assert steps_of(page) == ["1", "3", "2", "4", "5"]
    assert 'id="up-3"' in page.content.decode()
    first, second, third, *others = slot.option_order
    assert Response.objects.get(slot=slot).answer == [first, third, second, *others]


def test_an_order_of_other_steps_is_refused_with_a_reason_and_nothing_is_saved(browser, sitting):
    slot = slot_of(sitting, "order")
    url = address("question", sitting, slot.position)

    reply = browser.post(url, {"revision": "0", "step": ["1", "2", "3"], "own": "1"})

    assert reply.status_code == 422
    assert Response.objects.get(slot=slot).revision == 0


def test_a_move_in_practice_keeps_nothing_yet_and_puts_the_focus_where_it_was(signed_in):
    browser = signed_in(make_learner())
    question = next(
        each for each in current_bank().questions.values() if each.kind == "order" and each.pool == "practice"
    )
    url = reverse("practice_question", args=question.id.split("/"))
    dealt = browser.get(url)

    page = browser.post(url, form_of(dealt) | {"step": steps_of(dealt), "move": "up-3"})

    assert steps_of(page)[:3] == ["1", "3", "2"]
    assert re.search(r'id="up-3" autofocus', page.content.decode())
    assert not PracticeAnswer.objects.exists()
