"""A question of every kind in one test: answered by keys alone, answered without scripts, seen before and after."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from quizzes import sittings
from quizzes.models import Response, Sitting, Slot
from tests.factories import make_sitting
from tests.journeys import steps
from tests.journeys.conftest import OpenPage
from tests.journeys.seeing import faults_of
from tests.journeys.ways import WAYS
from tests.quizzes.answering import right_answer, slot_of, wrong_answer
from tests.quizzes.every_kind import course_of_every_kind
from tests.quizzes.making import TEXTS

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

KINDS = sorted(TEXTS)
SAVED = re.compile(r"Saved \d\d:\d\d")


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return course_of_every_kind(tmp_path_factory.mktemp("every-kind") / "course")


@pytest.fixture
def sitting(settings, course: Path) -> Sitting:
    settings.COURSE_PATH = course
    return make_sitting()


def address(slot: Slot) -> str:
    return reverse("question", args=[slot.sitting_id, slot.position])


@pytest.fixture
def page_of(live_server, open_page: OpenPage, sitting: Sitting) -> OpenPage:
    """Return a function that opens a page on which the sitting's learner is signed in."""

    def open_one(**options: object) -> Page:
        client = Client()
        client.force_login(sitting.enrolment.user, backend="allauth.account.auth_backends.AuthenticationBackend")
        page = open_page(live_server, **options)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
        page.context.add_cookies([cookie])
        return page

    return open_one


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_answered_saved_and_left_by_keys_alone(kind: str, page_of: OpenPage, sitting: Sitting) -> None:
    slot = slot_of(sitting, kind)
    right = right_answer(slot)
    page = page_of()
    page.goto(address(slot))

    WAYS[kind].by_keys(page, slot, right.parts)
    expect(page.locator("form [data-receipt]")).to_have_text(SAVED)
    steps.tab_to(page, "button.main")
    page.keyboard.press("Enter")

    page.wait_for_url(lambda url: address(slot) not in url)
    assert stored(slot) == right


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_answered_without_scripts(kind: str, page_of: OpenPage, sitting: Sitting) -> None:
    slot = slot_of(sitting, kind)
    right = right_answer(slot)
    page = page_of(java_script_enabled=False)
    page.goto(address(slot))

    WAYS[kind].without_scripts(page, slot, right.parts)
    steps.go_on(page)

    assert stored(slot) == right


def test_every_kind_is_accessible_and_fits_before_an_answer_and_after_it(page_of: OpenPage, sitting: Sitting) -> None:
    slots = [slot_of(sitting, kind) for kind in KINDS]
    page = page_of()
    found: list[str] = []

    for slot in slots:
        page.goto(address(slot))
        found += faults_of(page)
        sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0)
    sittings.hand_in(sitting.pk)
    page.goto(reverse("review", args=[sitting.pk]))
    expect(page.locator("section[aria-labelledby^=q]")).to_have_count(len(KINDS))
    found += faults_of(page)

    assert found == []


def stored(slot: Slot):
    return Response.objects.get(slot=slot).given
