"""An instructor's ways through the teaching pages: from who is there to what to teach tomorrow."""

import csv
import io
import re
from decimal import Decimal

import pytest
from django.urls import reverse
from playwright.sync_api import Download, Page, expect

from courseware.accounts.models import Cohort
from courseware.concepts.course import current
from grader.catalogue import current_exercises
from grader.models import CheckResult
from quizzes import sittings
from quizzes.overrides import set_mark
from tests.factories import make_assignment, make_cohort, make_finished, make_instructor, make_learner, make_sitting
from tests.journeys import steps
from tests.journeys.conftest import PageOf
from tests.journeys.seeing import faults_of
from tests.results.crowds import hand_in_all, make_crowd

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]

EVIDENCE = {"marks_fraction": "0.4000", "sentence": "Four numbers differ."}
BELIEF = "m03-softmax-columns"


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort(time_zone="Europe/Vienna")


@pytest.fixture
def page(cohort: Cohort, page_of: PageOf) -> Page:
    """The cohort's gradebook, once somebody goes there: rows are made first."""
    return page_of(make_instructor(cohort))


def _open(page: Page, cohort: Cohort, part: str = "Gradebook") -> None:
    page.goto(reverse("cohorts"))
    page.get_by_role("link", name=re.compile(cohort.name)).click()
    page.get_by_role("navigation", name=cohort.name).get_by_role("link", name=part).click()


def _rows(download: Download) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(download.path().read_text("utf-8-sig"))))


def test_a_roster_is_looked_at_and_then_imported(cohort: Cohort, page: Page) -> None:
    here = make_learner(cohort)
    roster = (
        f'Student,SIS Login ID,Email,Section\n"Ó Néill, Áine",aine,aine@example.org,B\n{here.name},,{here.email},B\n'
    )
    _open(page, cohort, "People")

    steps.choose_file(page, "CSV or XLSX", "roster.csv", roster + "Nobody,nobody,no address,\n")
    page.get_by_role("button", name="Look at it").click()

    expect(page.get_by_role("heading", level=1)).to_have_text("What the roster would do")
    expect(page.locator("tbody tr").first).to_contain_text("Nobody")  # what is refused stands first
    expect(page.locator("tbody tr", has_text="aine@example.org")).to_contain_text("New")
    assert faults_of(page) == []
    page.get_by_role("button", name="Import").click()
    expect(page.get_by_role("status")).to_contain_text("1 learner has joined")
    expect(page.locator("tbody tr", has_text="Áine Ó Néill")).to_contain_text("B")


def test_the_link_for_joining_is_copied(cohort: Cohort, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(reverse("cohort_join_code", args=[cohort.pk]))

    page.get_by_role("button", name="Copy the link").click()

    expect(page.get_by_role("status")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == page.locator("dd .id").first.inner_text()


def test_a_mark_is_found_changed_with_its_reason_and_carried_to_the_lms(cohort: Cohort, page: Page) -> None:
    test = make_assignment(cohort, title="Week 3")
    best, other, absent = (make_learner(cohort) for _ in range(3))
    teacher = make_instructor(cohort)
    for learner, mark in ((best, 8), (other, 2)):
        set_mark(sittings.hand_in(make_sitting(test, user=learner).pk).pk, Decimal(mark), reason="Made so", by=teacher)
    _open(page, cohort)
    names = page.locator("tbody th a")

    page.get_by_role("link", name="Week 3").click()
    expect(names).to_have_text([best.name, other.name, absent.name])
    page.get_by_label("Find").fill(other.email)
    page.get_by_role("button", name="Show").click()
    expect(names).to_have_text([other.name])
    page.get_by_role("link", name=re.compile("^2 of 9")).click()
    page.get_by_label("Mark by hand").fill("4,5")
    page.get_by_label("Why").fill("Question 3 was read in two ways.")
    page.get_by_role("button", name="Change the mark").click()
    expect(page.locator("main")).to_contain_text("from 2 to 4.5. “Question 3 was read in two ways.”")
    page.get_by_label("More minutes").fill("15")
    page.get_by_role("button", name="Give", exact=True).click()
    expect(page.get_by_role("status")).to_be_visible()
    assert faults_of(page) == []

    _open(page, cohort)
    expect(page.locator("tbody tr", has_text=other.name)).to_contain_text("4.5 of 9†")
    with page.expect_download() as ours:
        page.get_by_role("link", name="Download as CSV").click()
    by_address = {row["E-mail address"]: row["Week 3: mark"] for row in _rows(ours.value)}
    assert by_address == {best.email: "8", other.email: "4.5", absent.email: ""}
    page.get_by_role("link", name="Fill an LMS’s file").click()
    page.get_by_label("What goes out").select_option("Week 3")
    export = "First name,Last name,ID number,Email address,Week 3 (Real)\n"
    export += "".join(f"A,B,{at},{each.email},\n" for at, each in enumerate((best, other)))
    steps.choose_file(page, "The LMS’s export", "moodle.csv", export)
    page.get_by_role("button", name="See who is found").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2 of 2 people found")
    assert faults_of(page) == []
    with page.expect_download() as filled:
        page.get_by_role("button", name="Download the filled file").click()
    assert [row["Week 3 (Real)"] for row in _rows(filled.value)] == ["8", "4.5"]


def test_a_question_is_found_by_its_figures_and_read_with_its_pictures(cohort: Cohort, page: Page) -> None:
    hand_in_all(make_assignment(cohort, title="Week 3"), make_crowd(cohort, 25), seed="one paper for all")
    _open(page, cohort, "Questions")

    page.get_by_role("link", name="Week 3").click()
    expect(page.get_by_role("img", name=re.compile("Learners by per cent"))).to_be_visible()
    expect(page.locator("section[aria-labelledby=items] tbody tr")).to_have_count(9)
    page.locator("section[aria-labelledby=items] tbody th a").first.click()

    expect(page.get_by_role("img", name=re.compile("Who picks what"))).to_be_visible()
    expect(page.get_by_role("table", name="What was picked")).to_contain_text("the answer")
    assert faults_of(page) == []


def test_a_belief_leads_to_who_holds_it_and_to_the_section_against_it(cohort: Cohort, page: Page) -> None:
    holders = [make_learner(cohort) for _ in range(2)]
    for learner in holders:
        make_finished(user=learner, misconception_ids=[BELIEF])
    misconception = current().misconceptions[BELIEF]
    place = current().place(misconception)
    assert place is not None
    _open(page, cohort, "Misconceptions")

    page.get_by_role("link", name=misconception.label).click()
    expect(page.get_by_role("table", name=re.compile("Questions and exercises"))).to_contain_text(steps.EXERCISE_TITLE)
    expect(page.locator("main")).not_to_contain_text(holders[0].name)
    page.get_by_role("link", name="Who", exact=True).click()
    for learner in holders:
        expect(page.locator("main")).to_contain_text(learner.name)
    assert faults_of(page) == []
    page.go_back()
    page.get_by_role("link", name=re.compile(f"“{place.section_title}”")).click()

    expect(page.locator(f"#{place.section_id}")).to_be_in_viewport()


def test_a_cluster_of_programs_leads_to_one_record_and_what_changed_in_it(cohort: Cohort, page: Page) -> None:
    checks = current_exercises()[steps.EXERCISE].checks
    for _ in range(2):
        learner = make_learner(cohort)
        for number, source in ((1, "def attention():\n    return 1\n"), (2, "def attention():\n    return 2\n")):
            done = make_finished(
                user=learner, number=number, source=source, behaviour_signature="ab" * 32, evidence=EVIDENCE
            )
            CheckResult.objects.bulk_create(
                CheckResult(submission=done, position=at, check_id=each.id, title=each.title, outcome="fails")
                for at, each in enumerate(checks)
            )
    _open(page, cohort, "Programs")

    page.get_by_role("link", name=steps.EXERCISE_TITLE).click()
    expect(page.locator("section[aria-labelledby=checks] li").first).to_contain_text("0 of 2")
    expect(page.get_by_role("heading", name="2 learners, 4 submissions")).to_be_visible()
    assert faults_of(page) == []
    page.get_by_role("link", name="submission 2").first.click()

    page.locator("summary", has_text="What changed since submission 1").click()
    expect(page.locator(".diff .gone")).to_contain_text("return 1")
    expect(page.locator(".diff .added")).to_contain_text("return 2")
    assert faults_of(page) == []
