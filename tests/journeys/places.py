"""Every page of the site, in each state that looks different, and how a browser gets there."""

from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.journeys import steps
from tests.journeys.cast import PROGRAMS, Cast

Arrive = Callable[[Page, Cast], object]
CARD = f"/concepts/{steps.CONCEPT}/"


@dataclass(frozen=True)
class Place:
    """One page in one state. `who` is the part of the cast that sees it, empty for somebody not signed in."""

    name: str
    who: str
    arrive: Arrive
    # The status of a page that is meant to be refused; the browser puts a line about it into the console.
    status: int = 200


def _at(path: str) -> Arrive:
    return lambda page, cast: page.goto(path)  # noqa: ARG005


def _address(name: str, addition: str = "") -> Arrive:
    return lambda page, cast: page.goto(cast.addresses[name] + addition)


def _refused_sign_in(page: Page, cast: Cast) -> None:
    _try_to_sign_in(page, cast.newcomer.email)
    expect(page.locator("main .verdict")).to_be_visible()


def _locked(page: Page, cast: Cast) -> None:
    for _ in range(5):
        _try_to_sign_in(page, "nobody@example.org")
    expect(page.get_by_role("heading", level=1)).to_have_text("Five tries did not fit")


def _try_to_sign_in(page: Page, email: str) -> None:
    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()


def _old_form(page: Page, cast: Cast) -> None:
    """Send a form whose token is not this session's, as after signing in again in another tab."""
    page.goto("/accounts/logout/")
    page.locator("main input[name=csrfmiddlewaretoken]").evaluate("field => { field.value = 'x'.repeat(64); }")
    page.get_by_role("main").get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="This form is old")).to_be_visible()


def _unreadable_number(page: Page, cast: Cast) -> None:
    page.goto(cast.addresses["question numeric"])
    page.get_by_label("Your answer").fill("a half")
    page.get_by_label("Your answer").blur()
    expect(page.locator("#number-fault")).to_be_visible()


def _practise(page: Page, cast: Cast) -> None:
    page.goto(f"/practice/concepts/{steps.CONCEPT}/")
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("button", name="Answer and explain")).to_be_visible()


def _being_graded(page: Page, cast: Cast) -> None:
    """Submit, and let every answer to "how far is it" say what the page says, so that it stays as it first was."""
    stages = page.locator("[data-stages]")
    page.route("**/status/", lambda route: route.fulfill(json={"final": False, "html": stages.inner_html()}))
    page.goto(f"/exercises/{steps.EXERCISE}/")
    steps.write_into_editor(page, steps.program("time_endless_loop"))
    page.keyboard.press("Control+Shift+Enter")
    page.wait_for_url("**/submissions/**")
    expect(page.locator(".stages")).to_be_visible()


def _open_menu(page: Page, cast: Cast) -> None:
    page.goto("/")
    page.locator(".person summary").click()


def _analysis(page: Page, cast: Cast) -> None:
    page.goto(cast.addresses["cohort"] + "questions/")
    page.locator("main a.row").first.click()  # a test that nobody has handed in is no link
    expect(page.get_by_role("heading", name="Question by question")).to_be_visible()


def _first_question(page: Page, cast: Cast) -> None:
    _analysis(page, cast)
    page.locator("tbody th a").first.click()
    expect(page.get_by_role("heading", name="Who picks what")).to_be_visible()


def _first_belief(page: Page, cast: Cast) -> None:
    page.goto(cast.addresses["cohort"] + "misconceptions/")
    page.locator(".belief a").first.click()
    expect(page.get_by_role("link", name="Who", exact=True)).to_be_visible()


def _mark_of(title: str) -> Arrive:
    """Return the way to a learner's mark of a test or an exercise, through its cell in the gradebook."""

    def arrive(page: Page, cast: Cast) -> None:
        page.goto(cast.addresses["cohort"])
        heads = page.locator("thead th").all_inner_texts()
        column = next(at for at, head in enumerate(heads) if title in head)
        page.locator("tbody tr", has_text=cast.finished.name).locator("th, td").nth(column).locator("a").click()
        expect(page.get_by_label("Mark by hand")).to_be_visible()

    return arrive


def _found_in_lms(page: Page, cast: Cast) -> None:
    export = "First name,Last name,ID number,Email address,Module test (Real)\n"
    for number, email in enumerate((cast.finished.email, "somebody.else@example.org")):
        export += f"A,B,{number},{email},\n"
    page.goto(cast.addresses["cohort"] + "lms/")
    steps.choose_file(page, "The LMS’s export", "moodle.csv", export)
    page.get_by_role("button", name="See who is found").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("1 of 2 people found")


def _look_at_roster(page: Page, cast: Cast) -> None:
    roster = f'Student,Email,Section\n"Ó Néill, Áine",aine@example.org,B\nMidway,{cast.midway.email},B\nNobody,no,\n'
    page.goto(cast.addresses["cohort"] + "people/")
    steps.choose_file(page, "CSV or XLSX", "roster.csv", roster)
    page.get_by_role("button", name="Look at it").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What the roster would do")


PLACES = (
    Place("sign-in", "", _at("/accounts/login/")),
    Place("sign-in-refused", "", _refused_sign_in),
    Place("locked", "", _locked, status=429),
    Place("join", "", _at("/join/")),
    Place("join-cohort", "", _address("join")),
    Place("password-lost", "", _at("/accounts/password/reset/")),
    Place("password-lost-sent", "", _at("/accounts/password/reset/sent/")),
    Place("home-new", "newcomer", _at("/")),
    Place("menu", "newcomer", _open_menu),
    Place("module-new", "newcomer", _at("/modules/transformers/")),
    Place("card-five-open", "newcomer", _at(CARD)),
    Place("card-fifteen", "newcomer", _at(f"{CARD}fifteen/")),
    Place("card-deep", "newcomer", _at(f"{CARD}deep/")),
    Place("map", "newcomer", _at("/modules/transformers/map/")),
    Place("glossary", "newcomer", _at("/glossary/")),
    Place("notation", "newcomer", _at("/notation/")),
    Place("tests-new", "newcomer", _at("/tests/")),
    Place("test-cover", "newcomer", _at("/tests/1/")),
    Place("practice-new", "newcomer", _at("/practice/")),
    Place("practice-concept", "newcomer", _at(f"/practice/concepts/{steps.CONCEPT}/")),
    Place("practice-question", "newcomer", _practise),
    Place("exercises-new", "newcomer", _at("/exercises/")),
    Place("exercise-new", "newcomer", _at(f"/exercises/{steps.EXERCISE}/")),
    Place("password", "newcomer", _at("/accounts/password/change/")),
    Place("confirm", "newcomer", _at("/accounts/confirm/")),
    Place("second-factor", "newcomer", _at("/accounts/second-factor/")),
    Place("second-factor-on", "newcomer", _at("/accounts/second-factor/on/")),
    Place("sign-out", "newcomer", _at("/accounts/logout/")),
    Place("status", "newcomer", _at("/status/")),
    Place("keys", "newcomer", _at("/keys/")),
    Place("not-found", "newcomer", _at("/concepts/nothing/"), status=404),
    Place("old-form", "newcomer", _old_form, status=403),
    Place("home-midway", "midway", _at("/")),
    Place("test-cover-midway", "midway", _at("/tests/1/")),
    Place("question-single", "midway", _address("question single")),
    Place("question-multi", "midway", _address("question multi")),
    Place("question-numeric", "midway", _address("question numeric")),
    Place("question-unreadable", "midway", _unreadable_number, status=422),
    Place("hand-in", "midway", _address("hand in")),
    Place("submission-waiting", "midway", _being_graded),
    Place("home-done", "finished", _at("/")),
    Place("module-done", "finished", _at("/modules/transformers/")),
    Place("card-five-picked", "finished", _at(CARD)),
    Place("test-cover-done", "finished", _at("/tests/1/")),
    Place("review", "finished", _address("review")),
    Place("report", "finished", _address("report")),
    Place("practice-done", "finished", _at("/practice/")),
    Place("practice-answer", "finished", _address("practice answer")),
    Place("exercise-done", "finished", _at(f"/exercises/{steps.EXERCISE}/")),
    *(Place(f"submission-{name}", "finished", _address(f"submission {name}")) for name in PROGRAMS),
    Place("submission-run", "finished", _address("run")),
    Place("submission-taken-back", "finished", _address("submission taken-back")),
    Place("cohorts", "instructor", _at("/cohorts/")),
    Place("cohort", "instructor", _address("cohort")),
    Place("cohort-questions", "instructor", _analysis),
    Place("cohort-question", "instructor", _first_question),
    Place("cohort-misconceptions", "instructor", _address("cohort", "misconceptions/")),
    Place("cohort-misconception", "instructor", _first_belief),
    Place("cohort-programs", "instructor", _address("cohort", "programs/attention/")),
    Place("cohort-people", "instructor", _address("cohort", "people/")),
    Place("cohort-lms", "instructor", _address("cohort", "lms/")),
    Place("cohort-lms-found", "instructor", _found_in_lms),
    Place("cohort-roster", "instructor", _look_at_roster),
    Place("cohort-join-code", "instructor", _address("cohort", "join-code/")),
    Place("cohort-join-code-renewed", "instructor", _address("cohort", "join-code/?ask=renew")),
    Place("cohort-reports", "instructor", _address("cohort", "reports/")),
    Place("cohort-report", "instructor", _address("cohort report")),
    Place("cohort-learner", "instructor", _address("cohort learner")),
    Place("cohort-learner-time", "instructor", _address("cohort learner", "time/")),
    Place("cohort-mark", "instructor", _mark_of("Module test")),
    Place("cohort-exercise-mark", "instructor", _mark_of(steps.EXERCISE_TITLE)),
    Place("cohort-tests", "instructor", _address("cohort", "tests/")),
    Place("cohort-test-new", "instructor", _address("cohort", "tests/new/")),
    Place("cohort-test", "instructor", _address("cohort", "tests/1/")),
    Place("cohort-sitting", "instructor", _address("cohort sitting")),
    Place("cohort-submission", "instructor", _address("cohort submission")),
    Place("status-instructor", "instructor", _at("/status/")),
)
