"""One learner's way through the course in a real browser, and the instructor who then sees the same numbers."""

import csv
import io
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from courseware.concepts.markup import plain_text
from quizzes.catalogue import current_bank
from tests.journeys import steps
from tests.journeys.conftest import OpenPage
from tests.journeys.running import COHORT, RunningSite

# The first test of a run also waits for the sites to start.
pytestmark = [pytest.mark.journey, pytest.mark.sandbox, pytest.mark.timeout(600)]

SAVED = re.compile(r"Saved \d\d:\d\d")
# The browser's own line about an answer that the server refuses to read as a number.
REFUSED_NUMBER = "status of 422"

_GIVEN = "form => [...new FormData(form)].filter(([name]) => name !== 'csrfmiddlewaretoken').flat()"


@pytest.fixture(params=["embedded_site", "site_on_servers"])
def site(request: pytest.FixtureRequest) -> RunningSite:
    site: RunningSite = request.getfixturevalue(request.param)
    return site


def test_learner_is_told_why_and_the_instructor_sees_the_same_numbers(site: RunningSite, open_page: OpenPage) -> None:
    learner = site.add_learner("Learner 2")
    page = open_page(site, expecting=(REFUSED_NUMBER,))

    steps.sign_in(page, learner)
    _find_the_card(page)
    _read_three_depths(page)
    _answer_the_self_check_once(page)
    test_mark = _sit_the_test(page)
    wrong_mark = _submit_wrong_attention(page)
    right_mark = _submit_right_attention(page)

    assert right_mark == "10 of 10"
    teacher = open_page(site)
    steps.sign_in(teacher, site.instructor)
    _see_the_cohort(teacher, learner.name, test_mark)
    _see_the_learner(teacher, test_mark, wrong_mark)
    _see_the_csv(teacher, learner.email, test_mark)


def _find_the_card(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Where to begin")
    page.get_by_role("navigation", name="Course").get_by_role("link", name="Concepts").click()
    expect(page.locator(".toc > li")).to_have_count(19)
    page.locator(".toc").get_by_role("link", name="Scaled dot-product attention").click()


def _read_three_depths(page: Page) -> None:
    expect(page.locator(".verse li")).to_have_count(5)
    depths = page.get_by_role("navigation", name="Depth")
    depths.get_by_role("link", name="Fifteen lines").click()
    expect(page.locator(".verse li")).to_have_count(15)
    depths.get_by_role("link", name="Deep dive").click()
    expect(page.locator(".prose math[display=block]").first).to_be_visible()
    page.get_by_role("link", name="Answer the one question").click()


def _answer_the_self_check_once(page: Page) -> None:
    offered = current_bank().self_checks[steps.CONCEPT].task.options
    wrong = next(plain_text(option.text) for option in offered if not option.is_right)
    expect(page.locator("#check .why")).to_have_count(0)

    steps.pick_in_self_check(page, wrong)

    explained = page.locator("#check .note")
    expect(page.locator("#check .verdict")).to_contain_text("Not this one")
    expect(explained).to_have_count(len(offered))
    expect(explained.first.locator(".m")).to_have_text("Your pick")
    expect(explained.first.locator(".said")).to_have_text(wrong)
    assert all(text.strip() for text in page.locator("#check .note .why").all_inner_texts())
    _pick_again_behind_the_page(page)
    page.reload()
    expect(page.locator("#check .note .said").first).to_have_text(wrong)


def _pick_again_behind_the_page(page: Page) -> None:
    """Send another pick although the page offers none any more."""
    expect(steps.options(page)).to_have_count(0)
    token = page.locator("input[name=csrfmiddlewaretoken]").first.get_attribute("value") or ""
    for choice in "1234":
        answer = page.request.post(
            f"/concepts/{steps.CONCEPT}/self-check/",
            form={"choice": choice, "csrfmiddlewaretoken": token},
            headers={"Referer": page.url},
        )
        assert answer.status < 500


def _sit_the_test(page: Page) -> str:
    """Answer all but one number, look away in the middle, hand in; return the mark."""
    steps.start_test(page)
    count = steps.question_count(page)
    # Which questions come is drawn anew for each learner: many papers have but one number, one in eighty has none.
    open_position = reloaded_at = 0
    for position in range(1, count + 1):
        expect(page.locator(".kick")).to_contain_text(f"Question {position} of {count}")
        if steps.kind(page) == "numeric" and not open_position:
            _number_is_refused_then_read_then_taken_back(page)
            open_position = position
        elif position == count and not open_position:
            open_position = position
        else:
            steps.give(page)
            expect(page.locator("form [data-receipt]")).to_have_text(SAVED)
        if position > 1 and position != open_position and not reloaded_at:
            _reload_in_the_middle(page)
            reloaded_at = position
        if position == 2:
            page.get_by_role("button", name="Mark to look at again").click()
            expect(page.get_by_role("button", name="Take the mark away").first).to_be_visible()
        steps.go_on(page)
    expect(page.get_by_role("heading", level=1)).to_have_text(f"1 of {count} is open")
    expect(page.locator("main")).to_contain_text(f"Open: {open_position}.")
    expect(page.locator("main")).to_contain_text("Marked to look at again: 2.")
    steps.hand_in(page)
    return _review(page, count)


def _number_is_refused_then_read_then_taken_back(page: Page) -> None:
    field, receipt = page.get_by_label("Your answer"), page.locator("form [data-receipt]")
    field.fill("many")
    field.blur()
    expect(page.locator("#number-fault")).to_contain_text("many")
    field.fill("0,5")
    field.blur()
    expect(page.locator("#number-fault")).to_be_hidden()
    expect(receipt).to_contain_text("read as 0.5")
    answered = int(page.locator("[data-answered]").inner_text())
    field.fill("")
    field.blur()
    expect(page.locator("[data-answered]")).to_have_text(str(answered - 1))


def _reload_in_the_middle(page: Page) -> None:
    receipt = page.locator("form [data-receipt]").inner_text()
    answered = page.locator("[data-answered]").inner_text()
    given = page.locator("#answer").evaluate(_GIVEN)
    page.reload()
    assert page.locator("#answer").evaluate(_GIVEN) == given
    expect(page.locator("form [data-receipt]")).to_have_text(receipt)
    expect(page.locator("[data-answered]")).to_have_text(answered)


def _review(page: Page, count: int) -> str:
    mark = page.get_by_role("heading", level=1).inner_text()
    assert re.fullmatch(rf"[\d.]+ of {count}", mark)
    page.get_by_role("link", name=f"All {count}").click()
    questions = page.locator("section[aria-labelledby^=q]")
    expect(questions).to_have_count(count)
    for number in range(count):
        question = questions.nth(number)
        expect(question.locator(".verdict")).to_contain_text(re.compile(r"[\d.]+ of 1 mark"))
        entries = question.locator(".note")
        why = question.locator(".note .why").all_inner_texts()
        assert len(why) == entries.count() >= 1
        assert all(text.strip() for text in why)
    return mark


def _submit_wrong_attention(page: Page) -> str:
    """Submit a softmax over the queries; return the marks that it gets."""
    page.goto(f"/exercises/{steps.EXERCISE}/")
    steps.write_into_editor(page, steps.program("wrong_softmax_over_queries"))
    expect(page.locator("[data-receipt]").first).to_have_text(SAVED)
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_url("**/submissions/**")

    expect(page.locator("#dx")).to_contain_text("It behaves exactly like softmax over the queries")
    expect(page.locator("#outcome .chip")).to_contain_text("Softmax over the queries")
    expect(page.locator("#findings .work tbody tr").first).to_be_visible()
    return _marks(page)


def _submit_right_attention(page: Page) -> str:
    """Go on in the same editor with a right program; return the marks that it gets."""
    steps.write_into_editor(page, steps.program("right_plain"))
    page.locator("#work").get_by_role("button", name="Submit again").click()
    expect(page.locator("#outcome .stamp .word")).to_have_text("Right")
    return _marks(page)


def _marks(page: Page) -> str:
    found = re.search(r"[\d.]+ of 10", page.locator("#outcome .stamp").inner_text())
    assert found, "the verdict shows no marks"
    return found[0]


def _see_the_cohort(page: Page, learner: str, test_mark: str) -> None:
    _open_cohort(page)
    cells = page.locator("tbody tr", has_text=learner).locator("th, td")
    heads = page.locator("thead th").all_inner_texts()

    def cell(title: str) -> Locator:
        return cells.nth(next(at for at, head in enumerate(heads) if title in head))

    expect(cell("3 Scaled dot-product attention")).to_contain_text("deep dive")
    expect(cell("3 Scaled dot-product attention")).to_contain_text("not yet")
    expect(cell("Module test")).to_have_text(test_mark)
    expect(cell(steps.EXERCISE_TITLE)).to_have_text("10 in 2")
    page.get_by_role("link", name=learner).click()


def _see_the_learner(page: Page, test_mark: str, wrong_mark: str) -> None:
    record = page.url
    test = page.locator("section[aria-labelledby=tests] a.row")
    expect(test).to_contain_text(test_mark)
    test.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(test_mark)
    page.goto(record)
    submissions = page.locator("section[aria-labelledby=submissions] a.row")
    expect(submissions).to_have_count(2)
    expect(submissions.filter(has_text="10 of 10")).to_have_count(1)
    submissions.filter(has_text=wrong_mark).click()
    expect(page.locator("#dx")).to_contain_text("It behaves exactly like softmax over the queries")
    assert _marks(page) == wrong_mark


def _see_the_csv(page: Page, email: str, test_mark: str) -> None:
    _open_cohort(page)
    with page.expect_download() as download:
        page.get_by_role("link", name="Download as CSV").click()
    table = csv.DictReader(io.StringIO(download.value.path().read_text("utf-8-sig")))
    row = next(row for row in table if row["E-mail address"] == email)
    assert f"{row['Module test: mark']} of {row['Module test: out of']}" == test_mark
    assert row[f"{steps.EXERCISE_TITLE}: best of 10"] == "10"
    assert row[f"{steps.EXERCISE_TITLE}: submissions"] == "2"


def _open_cohort(page: Page) -> None:
    page.get_by_role("navigation", name="Course").get_by_role("link", name="Cohorts").click()
    page.get_by_role("link", name=COHORT).click()
