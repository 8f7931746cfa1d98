"""A question of every kind in one test: answered by keys alone, answered without scripts, seen before and after."""

import functools
import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from quizzes import sittings
from quizzes.models import Response, Sitting, Slot
from tests.factories import make_sitting
from tests.journeys import steps
from tests.journeys.conftest import OpenPage, PageOf
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
def open_theirs(page_of: PageOf, sitting: Sitting) -> OpenPage:
    """Return a function that opens a page on which the sitting's learner is signed in."""
    return functools.partial(page_of, sitting.enrolment.user)


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_answered_saved_and_left_by_keys_alone(
    kind: str, open_theirs: OpenPage, sitting: Sitting
) -> None:
    slot = slot_of(sitting, kind)
    right = right_answer(slot)
    page = open_theirs()
    page.goto(address(slot))

    WAYS[kind].by_keys(page, slot, right.parts)
    expect(page.locator("form [data-receipt]")).to_have_text(SAVED)
    steps.tab_to(page, "button.main")
    page.keyboard.press("Enter")

    page.wait_for_url(lambda url: address(slot) not in url)
    assert stored(slot) == right


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_answered_without_scripts(kind: str, open_theirs: OpenPage, sitting: Sitting) -> None:
    slot = slot_of(sitting, kind)
    right = right_answer(slot)
    page = open_theirs(java_script_enabled=False)
    page.goto(address(slot))

    WAYS[kind].without_scripts(page, slot, right.parts)
    steps.go_on(page)

    assert stored(slot) == right


def test_every_kind_is_accessible_and_fits_before_an_answer_and_after_it(
    open_theirs: OpenPage, sitting: Sitting
) -> None:
    slots = [slot_of(sitting, kind) for kind in KINDS]
    page = open_theirs()
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


@pytest.fixture
def order(open_theirs: OpenPage, sitting: Sitting):
    """Return the page of the question about an order, and its slot."""
    slot = slot_of(sitting, "order")
    page = open_theirs(expecting=("ERR_INTERNET_DISCONNECTED",))  # the browser's own line where a test cuts the line
    page.goto(address(slot))
    return page, slot


def step(page: Page, slot: Slot, place: int):
    """Return the row of the step that stood at this place when the page was loaded."""
    return page.locator(f".order li:has(input[name=step][value='{place}'])")


def test_a_moved_step_is_told_keeps_the_focus_and_is_saved_with_all_the_others(order) -> None:
    page, slot = order
    dealt = slot.option_order
    down = page.get_by_role("button", name=re.compile("Move down")).first

    down.focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-moved]")).to_have_text("Step now 2 of 5")
    page.keyboard.press("Space")
    expect(page.locator("[data-moved]")).to_have_text("Step now 3 of 5")

    expect(page.locator("#down-1")).to_be_focused()
    expect(page.get_by_label("This order is my answer")).to_be_checked()
    expect(page.locator("form [data-receipt]")).to_have_text(SAVED)
    expect(page.locator("#up-2")).to_have_attribute("aria-disabled", "true")
    page.reload()
    assert stored(slot).parts == (dealt[1], dealt[2], dealt[0], dealt[3], dealt[4])
    expect(page.locator("input[name=step]").nth(2)).to_have_value("1")


def test_a_step_is_dragged_to_its_place_and_saved_once_it_is_let_go(order) -> None:
    page, slot = order
    dealt = slot.option_order
    grip, target = step(page, slot, 5).locator(".grip").bounding_box(), step(page, slot, 2).bounding_box()

    page.mouse.move(grip["x"] + 8, grip["y"] + 12)
    page.mouse.down()
    page.mouse.move(grip["x"] + 8, target["y"] + 8, steps=4)
    expect(page.locator("[data-answered]")).to_have_text("0")
    page.mouse.up()

    expect(page.locator("[data-moved]")).to_have_text("Step now 2 of 5")
    expect(page.locator("form [data-receipt]")).to_have_text(SAVED)
    assert stored(slot).parts == (dealt[0], dealt[4], *dealt[1:4])


def test_an_order_left_as_it_was_dealt_is_open_until_it_is_confirmed(order) -> None:
    page, slot = order
    own = page.get_by_label("This order is my answer")
    steps.go_on(page)
    assert stored(slot) is None
    page.goto(address(slot))

    own.focus()
    page.keyboard.press("Space")
    expect(page.locator("[data-answered]")).to_have_text("1")
    page.keyboard.press("Enter")  # presses the button that saves and goes on, not one that moves

    page.wait_for_url(lambda url: address(slot) not in url)
    assert stored(slot).parts == tuple(slot.option_order)


def test_an_order_and_pairs_given_offline_are_sent_when_the_page_is_loaded_again(order, sitting: Sitting) -> None:
    page, slot = order
    match = slot_of(sitting, "match")
    page.context.set_offline(True)
    page.locator("#up-5").click()
    expect(page.locator("form [data-receipt]")).to_contain_text("Kept in this browser since")
    page.context.set_offline(False)
    page.goto(address(match))
    page.context.set_offline(True)
    page.locator("#pair-2").select_option("3")
    expect(page.locator("form [data-receipt]")).to_contain_text("Kept in this browser since")
    page.context.set_offline(False)

    for each in (slot, match):
        page.goto(address(each))
        expect(page.locator("form [data-receipt]")).to_have_text(SAVED)

    assert stored(slot).parts == (*slot.option_order[:3], slot.option_order[4], slot.option_order[3])
    assert stored(match).parts == ("", match.option_order[2], "", "")
