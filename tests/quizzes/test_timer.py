"""The time left in a real browser: the server's, whatever this machine's clock says.

B06: `test_a_clock_that_is_an_hour_wrong_or_set_meanwhile_changes_nothing`, `test_a_machine_that_slept_asks_at_once`.
B12: `test_more_time_reaches_the_open_page_within_a_minute`. B11: `test_at_the_end_the_page_leads_to_the_result`.
"""

import re
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from quizzes.accommodations import extend
from quizzes.models import Sitting
from quizzes.timing import GRACE
from tests.factories import make_assignment, make_instructor, make_sitting
from tests.quizzes.answering import slot_of
from tests.quizzes.test_sitting_script import context, page, question, receipt, stored  # noqa: F401  (fixtures)

pytestmark = [pytest.mark.journey, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def sitting():
    return make_sitting(make_assignment(minutes=60))


def left(page):  # noqa: F811
    return page.locator(".side [data-left]")


def let_remain(sitting: Sitting, **time) -> None:
    """Move the end of a sitting, as if it had been opened earlier."""
    now = timezone.now()
    opened_at = now + timedelta(**time) - timedelta(minutes=60)
    Sitting.objects.filter(pk=sitting.pk).update(opened_at=opened_at, deadline_at=now + timedelta(**time))


@pytest.mark.parametrize("hours", [-1, 1])
def test_a_clock_that_is_an_hour_wrong_or_set_meanwhile_changes_nothing(page, sitting, hours):  # noqa: F811
    page.clock.install(time=timezone.now() + timedelta(hours=hours))
    page.goto(question(sitting, slot_of(sitting, "single")))
    expect(left(page)).to_have_text("60 min left")

    page.clock.set_system_time(timezone.now() - timedelta(hours=hours))
    page.clock.run_for(1000)

    expect(left(page)).to_have_text("60 min left")


def test_a_machine_that_slept_asks_at_once(page, sitting):  # noqa: F811
    """Ten minutes pass for the browser's clocks and none for the server: what the server says is shown."""
    page.clock.install()
    page.goto(question(sitting, slot_of(sitting, "single")))

    with page.expect_response(re.compile("/time/$")):
        page.clock.fast_forward("10:00")

    expect(left(page)).to_have_text("60 min left")


def test_more_time_reaches_the_open_page_within_a_minute(page, sitting):  # noqa: F811
    let_remain(sitting, minutes=2)
    page.clock.install()
    page.goto(question(sitting, slot_of(sitting, "single")))
    expect(left(page)).to_have_text(re.compile(r"^[12]:\d\d left$"))
    extend(
        sitting.assignment, sitting.enrolment, minutes=70, attempts=0, already_given=0,
        by=make_instructor(sitting.assignment.cohort),
    )  # fmt: skip

    page.clock.run_for(31_000)

    expect(left(page)).to_have_text("72 min left")
    expect(page.locator("[data-announce]")).to_have_text("You have more time: 72 minutes left.")


def test_few_moments_are_announced_and_seconds_are_shown_at_the_end_only(page, sitting):  # noqa: F811
    let_remain(sitting, minutes=10, seconds=20)
    page.clock.install()
    page.goto(question(sitting, slot_of(sitting, "single")))
    expect(left(page)).to_have_text("11 min left")
    expect(page.locator("[data-announce]")).to_have_text("")

    let_remain(sitting, minutes=9, seconds=55)
    page.clock.run_for(31_000)

    expect(page.locator("[data-announce]")).to_have_text("10 minutes left.")


def test_the_time_can_be_hidden_and_stays_so(page, sitting):  # noqa: F811
    page.goto(question(sitting, slot_of(sitting, "single")))

    page.get_by_role("button", name="Hide the time left").click()

    expect(left(page)).to_be_hidden()
    page.reload()
    expect(left(page)).to_be_hidden()
    page.get_by_role("button", name="Show the time left").click()
    expect(left(page)).to_be_visible()


def test_at_the_end_the_page_leads_to_the_result(page, sitting):  # noqa: F811
    """What is typed is sent once more; then nothing can change, and the server closes within its grace."""
    slot = slot_of(sitting, "numeric")
    let_remain(sitting, seconds=3)
    page.goto(question(sitting, slot))
    page.get_by_label("Your answer").press_sequentially("0.5")

    expect(left(page)).to_have_text("Time is up")
    expect(receipt(page)).to_have_text(re.compile("read as 0.5"))
    assert stored(slot).answer == ["0.5", "0.5"]
    expect(page.locator("fieldset")).to_have_js_property("inert", True)

    ended = Sitting.objects.get(pk=sitting.pk).deadline_at
    Sitting.objects.filter(pk=sitting.pk).update(deadline_at=ended - GRACE)
    page.wait_for_url("**/review/")
    assert Sitting.objects.get(pk=sitting.pk).closed_at == ended - GRACE


def test_without_scripts_the_page_says_when_the_test_closes(sitting, signed_in):
    html = signed_in(sitting.enrolment.user).get(question(sitting, slot_of(sitting, "single"))).content.decode()

    assert re.search(r"Closes <span data-closes>\w+ \d+ \w+, \d\d:\d\d</span> \(UTC time\)", html)
    assert '<p class="big" data-left hidden></p>' in html
