"""The site without a mouse."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys import steps
from tests.journeys.conftest import OpenPage
from tests.journeys.running import RunningSite

# The first test of a run also waits for the site to start.
pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def learner(embedded_site: RunningSite):
    return embedded_site.add_learner("Learner 4")


def test_question_is_answered_saved_and_left_by_keys_alone(
    embedded_site: RunningSite, open_page: OpenPage, learner: steps.Person
) -> None:
    page = open_page(embedded_site)
    steps.sign_in(page, learner)
    steps.start_test(page)
    while page.locator("#answer input[type=radio]").count() == 0:
        steps.go_on(page)
    here = page.url

    steps.tab_to(page, "input[type=radio]")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")

    expect(page.locator("#answer input[type=radio]").nth(1)).to_be_checked()
    expect(page.locator("form [data-receipt]")).to_have_text(re.compile(r"Saved \d\d:\d\d"))
    steps.tab_to(page, "button.main")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: url != here)
    page.goto(here)
    expect(page.locator("#answer input[type=radio]").nth(1)).to_be_checked()


def test_first_key_on_a_page_leads_past_its_head(
    embedded_site: RunningSite, open_page: OpenPage, learner: steps.Person
) -> None:
    page = open_page(embedded_site)
    steps.sign_in(page, learner)
    page.goto(f"/concepts/{steps.CONCEPT}/")

    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the text")).to_be_in_viewport(ratio=1)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_menu_of_the_person_opens_and_signs_out_by_keys(
    embedded_site: RunningSite, open_page: OpenPage, learner: steps.Person
) -> None:
    page = open_page(embedded_site)
    steps.sign_in(page, learner)

    steps.tab_to(page, ".person summary")
    page.keyboard.press("Enter")
    steps.tab_to(page, ".person button")
    page.keyboard.press("Enter")

    page.wait_for_url("**/accounts/login/")


@pytest.mark.sandbox
def test_editor_keeps_tab_lets_go_after_escape_and_runs_the_examples(
    embedded_site: RunningSite, open_page: OpenPage, learner: steps.Person
) -> None:
    page = open_page(embedded_site)
    steps.sign_in(page, learner)
    page.goto(f"/exercises/{steps.EXERCISE}/")
    steps.tab_to(page, ".cm-content")
    editor = page.locator(".cm-content")

    page.keyboard.press("Control+End")
    page.keyboard.press("Tab")
    expect(editor).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    page.keyboard.press("Shift+Tab")
    expect(editor).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(steps.program("right_plain"))
    page.keyboard.press("Control+Enter")

    page.wait_for_url("**/submissions/**")
    expect(page.locator(".kick")).to_be_visible()
    expect(page.locator("#outcome .stamp .word")).to_have_text("Right")
    expect(page.locator("#outcome .m").first).not_to_contain_text("of 10")  # a run earns nothing
