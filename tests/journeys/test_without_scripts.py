"""The main path with scripts switched off: every step is a form or a link."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.journeys import steps
from tests.journeys.conftest import OpenPage
from tests.journeys.running import RunningSite

# The first test of a run also waits for the sites to start.
pytestmark = [pytest.mark.journey, pytest.mark.sandbox, pytest.mark.timeout(600)]


def test_learner_gets_along_without_scripts(embedded_site: RunningSite, open_page: OpenPage) -> None:
    page = open_page(embedded_site, java_script_enabled=False)

    steps.sign_in(page, embedded_site.add_learner("Learner 3"))
    _answer_the_self_check(page)
    _sit_the_test(page)
    _submit_code(page)


def _answer_the_self_check(page: Page) -> None:
    page.goto(f"/concepts/{steps.CONCEPT}/")
    count = steps.options(page).count()

    steps.pick_in_self_check(page, page.locator("#check .opt").nth(1).inner_text().strip().splitlines()[0])

    expect(page.locator("#check .note")).to_have_count(count)
    expect(page.locator("#check .note").first.locator(".m")).to_contain_text("Your pick")


def _sit_the_test(page: Page) -> None:
    steps.start_test(page)
    count = steps.question_count(page)
    for _ in range(count):
        steps.give(page, option=1)
        steps.go_on(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"All {count} are answered")
    page.get_by_role("link", name="Question 2").click()
    expect(page.locator("form [data-receipt]")).to_have_text(re.compile(r"Saved \d\d:\d\d"))
    page.get_by_role("button", name="Mark to look at again").click()
    page.get_by_role("link", name="Look over and hand in").click()
    expect(page.locator("main")).to_contain_text("Marked to look at again: 2.")
    steps.hand_in(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile(rf"[\d.]+ of {count}"))
    page.get_by_role("link", name="Marked by you, 1").click()
    expect(page.locator("section[aria-labelledby^=q] .note .why").first).to_be_visible()


def _submit_code(page: Page) -> None:
    steps.submit_form(page, steps.program("wrong_softmax_over_queries"))
    expect(page.get_by_role("link", name="Look again")).to_be_visible()

    steps.look_again_until_judged(page)

    expect(page.locator("#dx")).to_contain_text("It behaves exactly like softmax over the queries")
