"""People in every state that a page can show: somebody new, somebody in the middle, somebody who is done."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

from tests.journeys import steps
from tests.journeys.running import Person, RunningSite
from tests.journeys.watching import open_context

# Each ends another way, and the names are those of the pages that show it.
PROGRAMS = {
    "wrong": "wrong_softmax_over_queries",
    "fragile": "fragile_no_shift",
    "error": "error_raises",
    "right": "right_plain",
}


@dataclass
class Cast:
    """The people, and the addresses of what they have done."""

    site: RunningSite
    newcomer: Person
    midway: Person
    finished: Person
    addresses: dict[str, str] = field(default_factory=dict)

    @property
    def instructor(self) -> Person:
        return self.site.instructor


def make_cast(browser: Browser, site: RunningSite) -> Cast:
    """Return the cast of a site; its people work without scripts, which is the quickest way."""
    # "Learner 1" came with the site. Of the others, names differ from those that other journeys use.
    midway = _somebody_with_each_look_of_a_question(browser, site)
    cast = Cast(site, site.add_learner("Learner 11"), midway, site.add_learner("Learner 13"))
    with _page_of(browser, site, cast.midway) as page:
        _sit_half_of_the_test(page, cast)
    with _page_of(browser, site, cast.finished) as page:
        _do_everything(page, cast)
    with _page_of(browser, site, cast.instructor) as page:
        _find_what_they_did(page, cast)
    return cast


@contextmanager
def _page_of(browser: Browser, site: RunningSite, person: Person) -> Iterator[Page]:
    context, _ = open_context(browser, site.url, java_script_enabled=False)
    page = context.new_page()
    steps.sign_in(page, person)
    yield page
    context.close()


def _somebody_with_each_look_of_a_question(browser: Browser, site: RunningSite) -> Person:
    """Return a learner whose open paper has the kinds that PLACES shows: questions are drawn anew for each learner."""
    for number in range(1, 21):  # one paper in six lacks a kind
        person = site.add_learner(f"Candidate {number}")
        with _page_of(browser, site, person) as page:
            steps.start_test(page)
            first = page.url
            kinds = set()
            for position in range(1, steps.question_count(page) + 1):
                page.goto(first.replace("/questions/1/", f"/questions/{position}/"))
                kinds.add(steps.kind(page))
        if kinds >= {"single", "multi", "numeric"}:
            return person
    raise AssertionError("twenty papers in a row lack one of these kinds")


def _sit_half_of_the_test(page: Page, cast: Cast) -> None:
    page.goto(f"/concepts/{steps.CONCEPT}/fifteen/")
    steps.start_test(page)
    for position in range(1, steps.question_count(page) + 1):
        cast.addresses[f"question {steps.kind(page)}"] = page.url
        if position not in (2, 5):
            steps.give(page, option=2, number="0,5")
        if position == 4:
            page.get_by_role("button", name="Mark to look at again").click()
            page.get_by_role("button", name="Take the mark away").wait_for()
        steps.go_on(page)
    cast.addresses["hand in"] = page.url


def _do_everything(page: Page, cast: Cast) -> None:
    for depth in ("deep/", "fifteen/", ""):
        page.goto(f"/concepts/{steps.CONCEPT}/{depth}")
    page.locator("#check .opt").nth(0).click()
    page.get_by_role("button", name="Pick this one").click()
    steps.start_test(page)
    for position in range(1, steps.question_count(page) + 1):
        steps.give(page, option=position % 3, number="0,5")
        steps.go_on(page)
    steps.hand_in(page)
    cast.addresses["review"] = page.url
    _report_and_practise(page, cast)
    for name, program in PROGRAMS.items():
        cast.addresses[f"submission {name}"] = _judged(page, program)
    cast.addresses["run"] = _judged(page, "wrong_no_scale", button="Run the examples")
    steps.submit_form(page, steps.program("time_endless_loop"))
    page.get_by_role("button", name="Take it back").click()
    cast.addresses["submission taken-back"] = page.url


def _report_and_practise(page: Page, cast: Cast) -> None:
    reports = page.get_by_role("link", name="Report this question")
    cast.addresses["report"] = reports.last.evaluate("link => link.href")
    reports.first.click()
    page.get_by_label("How the question is worded").check()
    page.get_by_label("What did you expect").fill("Two readings of “row” are possible here, and each has an answer.")
    page.get_by_role("button", name="Send the report").click()
    page.goto(f"/practice/concepts/{steps.CONCEPT}/")
    page.get_by_role("link", name="Start").click()
    steps.give(page, option=1)
    page.get_by_role("button", name="Answer and explain").click()
    page.wait_for_url("**/practice/answers/**")
    cast.addresses["practice answer"] = page.url


def _judged(page: Page, program: str, *, button: str = "Submit") -> str:
    steps.submit_form(page, steps.program(program), button=button)
    steps.look_again_until_judged(page)
    return page.url


def _find_what_they_did(page: Page, cast: Cast) -> None:
    page.goto("/cohorts/")
    page.locator("main a.row").first.click()
    cast.addresses["cohort"] = page.url
    page.goto(f"{page.url}join-code/")
    code = re.search(r"/join/([^/\s]+)/", page.locator("main").inner_text())
    assert code, "the page names no address for joining"
    cast.addresses["join"] = f"/join/{code[1]}/"
    page.goto(cast.addresses["cohort"])
    page.locator("section[aria-labelledby=reports] a.row").first.click()
    cast.addresses["cohort report"] = page.url
    page.goto(cast.addresses["cohort"])
    page.locator("table").get_by_role("link", name=cast.finished.name).click()
    cast.addresses["cohort learner"] = page.url
    page.locator("section[aria-labelledby=tests] a.row").click()
    cast.addresses["cohort sitting"] = page.url
    page.goto(cast.addresses["cohort learner"])
    page.locator("section[aria-labelledby=submissions] a.row").last.click()
    cast.addresses["cohort submission"] = page.url
