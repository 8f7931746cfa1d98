"""The script of the question page in a real browser: it saves at once, says so, and loses nothing offline."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from quizzes import sittings
from quizzes.models import Response
from quizzes.questions import Answer
from tests.factories import make_assignment, make_sitting
from tests.quizzes.answering import right_answer, slot_of

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

SAVED = re.compile(r"Saved \d\d:\d\d")


@pytest.fixture
def sitting():
    return make_sitting(make_assignment())


@pytest.fixture
def context(chromium, sitting, live_server):
    client = Client()
    client.force_login(sitting.enrolment.user, backend="allauth.account.auth_backends.AuthenticationBackend")
    context = chromium.new_context(base_url=live_server.url)
    context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}])
    yield context
    context.close()


@pytest.fixture
def page(context):
    """A page of which every complaint in the console fails the test."""
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    yield page
    # Refused and unreachable requests are reported by the browser itself and are what some tests are about.
    assert not [text for text in complaints if not text.startswith("Failed to load resource")]


def question(sitting, slot) -> str:
    return reverse("question", args=[sitting.pk, slot.position])


def receipt(page):
    return page.locator("form [data-receipt]")


def stored(slot) -> Response:
    return Response.objects.get(slot=slot)


def test_a_pick_is_saved_at_once_and_survives_a_reload(page, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))

    page.locator("label.opt").nth(1).click()

    expect(receipt(page)).to_have_text(SAVED)
    assert stored(slot).answer == [slot.option_order[1]]
    expect(page.locator("[data-answered]")).to_have_text("1")
    page.reload()
    expect(page.locator("input[name=choice]").nth(1)).to_be_checked()


def test_picks_in_quick_succession_and_a_button_at_once_end_with_the_last(page, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))

    for place in (0, 1, 2, 3):
        page.locator("label.opt").nth(place).click()
    page.get_by_role("button", name=re.compile("Save and")).first.click()

    page.wait_for_url(lambda url: not url.endswith(question(sitting, slot)))
    assert stored(slot).answer == [slot.option_order[3]]


def test_keys_pick_and_mark_and_can_be_switched_off(page, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))

    page.keyboard.press("2")
    expect(receipt(page)).to_have_text(SAVED)
    page.keyboard.press("m")
    expect(page.get_by_role("button", name="Take the mark away")).to_be_visible()
    slot.refresh_from_db()
    assert (stored(slot).answer, slot.flagged) == ([slot.option_order[1]], True)

    expect(page.locator("kbd").first).to_be_visible()
    page.get_by_role("button", name="Switch the keys off").click()
    expect(page.locator("kbd").first).to_be_hidden()
    page.keyboard.press("3")
    expect(page.locator("input[name=choice]").nth(1)).to_be_checked()


def test_offline_an_answer_is_kept_in_the_browser_and_sent_when_the_net_is_back(page, context, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))
    context.set_offline(True)

    page.locator("label.opt").nth(2).click()
    expect(receipt(page)).to_contain_text("Kept in this browser since")
    assert stored(slot).answer is None

    context.set_offline(False)
    expect(receipt(page)).to_have_text(SAVED)
    assert stored(slot).answer == [slot.option_order[2]]


def test_what_was_kept_is_sent_after_the_page_was_closed(page, context, sitting):
    slot = slot_of(sitting, "numeric")
    page.goto(question(sitting, slot))
    context.set_offline(True)
    page.get_by_label("Your answer").fill("0,25")
    page.get_by_label("Your answer").blur()
    expect(receipt(page)).to_contain_text("Kept in this browser since")
    page.goto("about:blank")
    context.set_offline(False)

    page.goto(question(sitting, slot))

    expect(receipt(page)).to_have_text(re.compile("read as 0.25"))
    assert stored(slot).answer == ["0,25", "0.25"]


def test_a_number_is_judged_when_the_field_is_left_and_not_while_it_is_typed(page, sitting):
    slot = slot_of(sitting, "numeric")
    page.goto(question(sitting, slot))

    page.get_by_label("Your answer").press_sequentially("1e")
    page.wait_for_timeout(1500)
    expect(page.locator("#number-fault")).to_be_hidden()
    page.get_by_label("Your answer").blur()
    expect(page.locator("#number-fault")).to_be_visible()
    expect(page.get_by_label("Your answer")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_label("Your answer")).to_have_accessible_description(re.compile("is not read as a number"))
    page.get_by_label("Your answer").fill("1e-3")
    page.get_by_label("Your answer").blur()

    expect(receipt(page)).to_have_text(re.compile("read as 0.001"))
    expect(page.locator("#number-fault")).to_be_hidden()
    expect(page.get_by_label("Your answer")).not_to_have_attribute("aria-invalid", "true")


def test_an_older_tab_is_told_of_the_newer_answer(page, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))
    sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)
    other = next(n for n, id_ in enumerate(slot.option_order) if id_ not in right_answer(slot).parts)

    page.locator("label.opt").nth(other).click()

    expect(receipt(page)).to_contain_text("Two versions.")
    assert stored(slot).given == right_answer(slot)


def test_a_tab_that_is_signed_out_says_so_and_keeps_the_answer(page, context, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))
    context.clear_cookies(name="sessionid")

    page.locator("label.opt").nth(0).click()

    expect(receipt(page)).to_contain_text("Not saved: you are signed out.")


def test_after_going_on_the_focus_is_on_the_next_question(page, sitting):
    page.goto(reverse("question", args=[sitting.pk, 1]))

    page.get_by_role("button", name="Save and go on").first.click()

    page.wait_for_url("**left=1")
    expect(page.locator("#stem")).to_be_focused()


def test_a_lost_receipt_does_not_make_a_page_an_older_one(page, sitting):
    """The server saved, the answer never came back, and the learner went on typing: no second version."""
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))
    lost = []

    def save_and_lose(route):
        lost.append(route.fetch())
        route.abort()

    page.route("**/questions/*/", save_and_lose, times=1)
    page.locator("label.opt").nth(0).click()
    expect(receipt(page)).to_contain_text("Not saved yet. Kept in this browser since")

    page.locator("label.opt").nth(1).click()

    expect(receipt(page)).to_have_text(SAVED)
    assert lost[0].ok
    assert (stored(slot).answer, stored(slot).revision) == ([slot.option_order[1]], 2)


def test_what_was_typed_is_kept_at_once_and_restored_when_the_page_is_opened_again(page, context, sitting):
    """The tab is gone before any pause in typing, and before the net is back."""
    slot = slot_of(sitting, "numeric")
    page.goto(question(sitting, slot))
    context.set_offline(True)
    page.get_by_label("Your answer").press_sequentially("0.7")
    page.close(run_before_unload=False)
    context.set_offline(False)

    again = context.new_page()
    again.goto(question(sitting, slot))

    expect(again.get_by_label("Your answer")).to_have_value("0.7")
    expect(receipt(again)).to_have_text(re.compile("read as 0.7"))
    assert stored(slot).answer == ["0.7", "0.7"]
    assert again.evaluate("localStorage.length") == 0


@pytest.mark.parametrize(("choice", "kept"), [("Keep this one", True), ("Take the saved one", False)])
def test_of_two_versions_one_is_chosen_and_the_other_forgotten(page, context, sitting, choice, kept):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))
    context.set_offline(True)
    page.locator("label.opt").nth(0).click()
    expect(receipt(page)).to_contain_text("Not saved yet")
    sittings.record_answer(sitting.pk, slot.position, Answer((slot.option_order[1],)), 0)

    context.set_offline(False)
    expect(receipt(page)).to_contain_text("Two versions.")
    expect(page.locator("input[name=choice]").first).to_be_checked()
    page.locator("form").get_by_role("link", name=choice).click()

    expect(page.locator("input[name=choice]").nth(0 if kept else 1)).to_be_checked()
    if kept:
        expect(receipt(page)).to_have_text(SAVED)
    page.reload()
    expect(page.locator("input[name=choice]").nth(0 if kept else 1)).to_be_checked()
    assert stored(slot).answer == [slot.option_order[0 if kept else 1]]


def test_two_tabs_on_one_sitting_overwrite_nothing_and_mix_nothing_up(page, context, sitting):
    """B02: three answers in the second tab, then the first tab, which is older, saves and goes on."""
    slots = [slot for slot in sitting.slots.select_related("snapshot") if slot.snapshot.question().kind == "single"]
    first, second = slots[:2]
    page.goto(question(sitting, first))
    other = context.new_page()
    for slot in (first, second):
        other.goto(question(sitting, slot))
        other.locator("label.opt").nth(1).click()
        expect(receipt(other)).to_have_text(SAVED)

    page.locator("label.opt").nth(2).click()
    expect(receipt(page)).to_contain_text("Two versions.")
    expect(page.locator("input[name=choice]").nth(2)).to_be_checked()  # what was given stays on the screen
    other.goto(question(sitting, second))
    page.get_by_role("link", name="Take the saved one").click()
    page.get_by_role("button", name=re.compile("Save and")).first.click()
    page.wait_for_url("**left=*")

    assert [stored(slot).answer for slot in (first, second)] == [[slot.option_order[1]] for slot in (first, second)]


def test_before_handing_in_the_page_names_what_this_browser_keeps_unsaved_and_after_it_forgets(page, context, sitting):
    slot = slot_of(sitting, "single")
    page.goto(question(sitting, slot))
    page.route("**/questions/*/", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.locator("label.opt").nth(0).click()
    expect(receipt(page)).to_contain_text("Not saved yet")

    page.goto(reverse("hand_in", args=[sitting.pk]))
    expect(page.locator("[data-unsaved]")).to_contain_text(f"was not saved: question {slot.position}.")
    page.get_by_role("button", name="Hand in").click()
    page.wait_for_url("**/review/")

    assert page.evaluate("localStorage.length") == 0
