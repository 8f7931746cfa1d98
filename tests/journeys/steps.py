"""What people do on the site, step by step. Unless said otherwise, each step works with and without scripts."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.journeys.running import Person
from tests.journeys.watching import PATIENCE_MS

CONCEPT = "scaled-dot-product-attention"
EXERCISE = "attention"
EXERCISE_TITLE = "Write scaled dot-product attention"
_PROGRAMS = Path(__file__).resolve().parents[1] / "submissions" / EXERCISE


def program(name: str) -> str:
    """Return one of the attention programs of which the verdict is known, without the lines that tell it."""
    return re.sub(r"\A(# .*\n)+", "", (_PROGRAMS / f"{name}.py").read_text())


def tab_to(page: Page, selector: str, *, key: str = "Tab") -> None:
    """Press Tab until the focus is on what the selector names."""
    for _ in range(60):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} does not reach {selector}")


def sign_in(page: Page, person: Person) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(person.email)
    page.get_by_label("Password").fill(person.password)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/")


def options(page: Page) -> Locator:
    return page.locator("#check input[type=radio]")


def pick_in_self_check(page: Page, words: str) -> None:
    """Pick the option with these words on the card's five-line view."""
    page.locator("#check .opt", has_text=words).click()
    page.get_by_role("button", name="Pick this one").click()
    expect(page.locator("#check .verdict")).to_be_visible()


def start_test(page: Page) -> None:
    """Open the cohort's test, or go on with it, at its first question."""
    page.goto("/tests/")
    page.get_by_role("link", name="Module test").click()
    page.get_by_role("button", name=re.compile("^(Start|Continue) the test$")).click()
    page.wait_for_url("**/questions/1/")


def question_count(page: Page) -> int:
    found = re.search(r"Question \d+ of (\d+)", page.locator(".kick").inner_text())
    assert found, "the page does not say how many questions there are"
    return int(found[1])


def kind(page: Page) -> str:
    """Return the kind of the shown question."""
    return page.locator("#answer fieldset").get_attribute("data-kind") or ""


def give(page: Page, *, option: int = 0, number: str = "0,5") -> None:
    """Answer the shown question in the way that it asks for, without saving it."""
    fieldset = page.locator("#answer fieldset")
    if kind(page) == "order":
        fieldset.get_by_label("This order is my answer").check()
    elif kind(page) == "match":
        fieldset.locator("select").first.select_option(index=1 + option)
    elif fieldset.locator("input[type=text]").count():
        fieldset.locator("input[type=text]").first.fill(number)
    else:
        page.locator(".opt").nth(option).click()


def go_on(page: Page) -> None:
    """Save the shown question and see the next one, or the summary after the last."""
    here = page.url
    page.get_by_role("button", name=re.compile("^Save and")).locator("visible=true").click()
    page.wait_for_url(lambda url: url != here)


def hand_in(page: Page) -> None:
    page.get_by_role("button", name="Hand in", exact=True).click()
    page.wait_for_url("**/review/")


def choose_file(page: Page, label: str, name: str, text: str) -> None:
    page.get_by_label(label).set_input_files({"name": name, "mimeType": "text/csv", "buffer": text.encode()})


def write_into_editor(page: Page, source: str) -> None:
    """Replace the program in the editor; needs scripts."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(source)


def submit_form(page: Page, source: str, *, button: str = "Submit") -> None:
    """Submit a program by the form of the exercise; needs scripts to be off, for they put an editor before it."""
    page.goto(f"/exercises/{EXERCISE}/")
    page.get_by_label("attention.py").fill(source)
    page.locator("#work .acts").get_by_role("button", name=button).click()
    page.wait_for_url("**/submissions/**")


def look_again_until_judged(page: Page) -> None:
    """Follow the link that shows where a submission stands, until its verdict is there."""
    for _ in range(PATIENCE_MS // 250):
        again = page.get_by_role("link", name="Look again")
        if not again.count():
            break
        page.wait_for_timeout(250)  # somebody who looks four times a second is impatient enough
        again.click()
    expect(page.locator("#dx")).to_be_visible()
