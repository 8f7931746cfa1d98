"""Giving tests and time: what the forms take, what holds at once, and what is written down.

B07: `test_saving_ten_times_without_an_edit_changes_nothing`, `test_every_time_stands_beside_its_zone`,
`test_learner_and_staff_read_the_same_closing_time`. B12: `test_more_time_reaches_a_running_sitting_at_once`,
`test_more_minutes_do_not_open_a_sitting_that_has_ended`.
"""

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import Accommodation, AuditEntry
from quizzes import sittings
from quizzes.models import Assignment, ClosedBy, Extension, Sitting
from quizzes.timing import GRACE
from tests.factories import make_assignment, make_cohort, make_enrolment, make_instructor, make_sitting

pytestmark = pytest.mark.django_db

ZONE = "Europe/Vienna"
CONDITIONS = {
    "title": "Midterm",
    "blueprint": "module-test",
    "paper": "own",
    "attempts": "1",
    "counts": "best",
    "marks_shown": "at hand-in",
    "explanations_shown": "at hand-in",
}


@pytest.fixture
def cohort():
    return make_cohort(time_zone=ZONE)


@pytest.fixture
def browser(cohort, signed_in):
    return signed_in(make_instructor(cohort))


def form_of(page) -> dict[str, str]:
    """What a browser would send of the first form of the page's main part, unchanged."""
    html = page.content.decode().partition("<main")[2].partition("<form")[2].partition("</form>")[0]
    found = {}
    for tag in re.findall(r"<input [^>]*>", html):
        name, value = re.search(r'name="([^"]+)"', tag), re.search(r'value="([^"]*)"', tag)
        if name and "disabled" not in tag:
            found[name[1]] = value[1] if value else ""
    for name, options in re.findall(r'<select name="([^"]+)"[^>]*>(.*?)</select>', html, flags=re.S):
        found[name] = re.search(r'value="([^"]*)" selected', options)[1]
    return found


def add(browser, cohort, **fields):
    return browser.post(reverse("cohort_assignment_add", args=[cohort.pk]), CONDITIONS | fields)


def address(assignment) -> str:
    return reverse("cohort_assignment", args=[assignment.cohort_id, assignment.pk])


def time_address(enrolment) -> str:
    return reverse("cohort_time", args=[enrolment.cohort_id, enrolment.user.uuid])


def snapshot(assignment) -> dict[str, object]:
    return Assignment.objects.filter(pk=assignment.pk).values().get()


# --- giving a test ---


def test_an_instructor_gives_a_test_and_it_is_written_down(browser, cohort):
    answer = add(
        browser, cohort, closes_at="2026-12-01T23:59", minutes="90", late_until="2026-12-03T23:59",
        late_percent_per_day="10", attempts="2", counts="last", paper="same",
    )  # fmt: skip

    assert answer.status_code == 302
    made = Assignment.objects.get(title="Midterm")
    assert made.closes_at == datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
    assert (made.minutes, made.attempts, made.counts, made.late_percent_per_day) == (90, 2, "last", 10)
    assert made.seed
    entry = AuditEntry.objects.get(verb="add test")
    assert (entry.cohort, entry.what) == (cohort, f"assignment {made.pk}")
    assert "minutes 90" in entry.after


def test_two_clicks_give_one_test(browser, cohort):
    assert [add(browser, cohort).status_code for _ in range(2)] == [302, 422]
    assert Assignment.objects.filter(title="Midterm").count() == 1


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"title": ""}, "Give the test a title."),
        ({"closes_at": "tomorrow"}, "Write a day and a time"),
        ({"closes_at": "0001-01-01T00:00"}, "Write a day between 2000 and 2999"),
        ({"closes_at": "2026-12-01T10:00", "opens_at": "2026-12-01T10:00"}, "must close after it opens"),
        ({"late_until": "2026-12-01T10:00"}, "Only a test that closes can take answers late."),
        ({"closes_at": "2026-12-01T10:00", "late_until": "2026-12-01T09:00"}, "only after the test has closed"),
        ({"late_percent_per_day": "10"}, "Say until when late answers are taken"),
        ({"minutes": "0"}, "Write a whole number from 1"),
        ({"minutes": "1.5"}, "Write a whole number from 1"),
        ({"attempts": "0"}, "Write a whole number from 1"),
        ({"marks_shown": "after closing"}, "cannot show anything after closing"),
        # The clocks of Vienna: forward on 29 March 2026, back on 25 October.
        ({"closes_at": "2026-03-29T02:30"}, "There is no 02:30 on 29 March 2026 in Europe/Vienna"),
        ({"closes_at": "2026-10-25T02:30"}, "02:30 comes twice on 25 October 2026 in Europe/Vienna"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_reason_and_kept_on_the_page(browser, cohort, fields, sentence):
    answer = add(browser, cohort, **fields)

    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Assignment.objects.exists()
    assert all(
        f'value="{value}"' in answer.content.decode() or value in ("", "after closing") for value in fields.values()
    )


# --- changing one ---


@pytest.mark.parametrize(
    "closes_at",
    [
        datetime(2026, 12, 1, 22, 59, tzinfo=UTC),  # 23:59 there
        datetime(2026, 10, 25, 1, 30, 17, 5, tzinfo=UTC),  # the second 02:30 of that night, and not on a minute
    ],
)
def test_saving_ten_times_without_an_edit_changes_nothing(browser, cohort, closes_at):
    assignment = make_assignment(
        cohort, opens_at=closes_at - timedelta(days=300), closes_at=closes_at, minutes=25, late_percent_per_day=5,
        late_until=closes_at + timedelta(days=200), counts="first", seed="one for all",
    )  # fmt: skip
    before = snapshot(assignment)

    for _ in range(10):
        answer = browser.post(address(assignment), form_of(browser.get(address(assignment))))
        assert answer.status_code == 302

    assert snapshot(assignment) == before
    assert not AuditEntry.objects.filter(verb="change test").exists()


def test_every_time_stands_beside_its_zone(browser, cohort):
    page = browser.get(address(make_assignment(cohort))).content.decode()

    assert re.findall(r">([^<>]*Europe/Vienna time)</label>", page) == [
        "Opens, Europe/Vienna time", "Closes, Europe/Vienna time", "Taken until, Europe/Vienna time",
    ]  # fmt: skip
    assert page.count('type="datetime-local"') == 3


def test_learner_and_staff_read_the_same_closing_time(browser, cohort, signed_in):
    assignment = make_assignment(cohort, closes_at=timezone.now() + timedelta(days=9))
    learner = make_enrolment(cohort=cohort).user

    mine = signed_in(learner).get(reverse("assignment", args=[assignment.pk])).content.decode()
    theirs = browser.get(reverse("cohort_assignments", args=[cohort.pk])).content.decode()

    sentence = re.search(r"The test closes on [^<]*?\(Europe/Vienna time\)\.", mine)[0]
    assert sentence in theirs


def test_a_change_is_written_down_with_what_was_before(browser, cohort):
    assignment = make_assignment(cohort, title="Midterm", minutes=60)

    fields = form_of(browser.get(address(assignment))) | {"minutes": "90"}
    browser.post(address(assignment), fields)

    entry = AuditEntry.objects.get(verb="change test")
    assert (entry.before, entry.after) == ("minutes 60", "minutes 90")
    assert "from <span" in browser.get(address(assignment)).content.decode()


def test_a_page_that_is_older_than_the_test_changes_nothing(browser, cohort):
    assignment = make_assignment(cohort, minutes=60)
    old = form_of(browser.get(address(assignment)))
    Assignment.objects.update(attempts=3)

    answer = browser.post(address(assignment), old | {"minutes": "90"})

    assert answer.status_code == 422
    assert "Somebody else changed this test" in answer.content.decode()
    assert Assignment.objects.get().minutes == 60


def test_what_learners_began_under_is_not_taken_back(browser, cohort):
    closes_at = timezone.now() + timedelta(days=1)
    assignment = make_assignment(
        cohort, minutes=60, closes_at=closes_at, late_until=closes_at + timedelta(days=9), late_percent_per_day=10
    )
    running = make_sitting(assignment)
    fields = form_of(browser.get(address(assignment)))

    dearer = browser.post(address(assignment), fields | {"late_percent_per_day": "20"})
    shorter = browser.post(address(assignment), fields | {"minutes": "5", "paper": "same"})

    assert dearer.status_code == 422
    assert "may cost less now, but not more" in dearer.content.decode()
    assert shorter.status_code == 302
    changed = Assignment.objects.get()
    assert (changed.minutes, changed.seed) == (5, "")
    assert Sitting.objects.get(pk=running.pk).deadline_at == running.deadline_at


def test_longer_minutes_and_a_later_closing_reach_running_sittings_at_once(browser, cohort):
    assignment = make_assignment(cohort, minutes=60)
    running = make_sitting(assignment)

    browser.post(address(assignment), form_of(browser.get(address(assignment))) | {"minutes": "75"})

    assert Sitting.objects.get(pk=running.pk).deadline_at == running.opened_at + timedelta(minutes=75)


# --- more time for one learner ---


def test_more_time_holds_in_every_test_and_is_shown_before_the_start(browser, cohort, signed_in):
    enrolment = make_enrolment(cohort=cohort)
    closes_at = timezone.now() + timedelta(hours=2)
    assignment = make_assignment(cohort, minutes=60, closes_at=closes_at)

    browser.post(time_address(enrolment), {"factor": "1,5", "extra_minutes": "5"})

    given = Accommodation.objects.get()
    assert (given.enrolment, given.factor, given.extra_minutes) == (enrolment, Decimal("1.5"), 5)
    cover = signed_in(enrolment.user).get(reverse("assignment", args=[assignment.pk])).content.decode()
    assert "You have 95 minutes from the start" in cover
    assert "You have 35 minutes more than others" in cover
    running = make_sitting(assignment, user=enrolment.user)
    assert running.deadline_at == running.opened_at + timedelta(minutes=95)
    assert running.on_time_until == closes_at + timedelta(minutes=35)
    entry = AuditEntry.objects.get(verb="accommodate")
    assert entry.after == "1.5 times and 5 minutes more"


@pytest.mark.parametrize("factor", ["0.9", "6", "much", "1.234", "nan", ""])
def test_a_factor_that_cannot_be_meant_is_refused(browser, cohort, factor):
    answer = browser.post(time_address(make_enrolment(cohort=cohort)), {"factor": factor, "extra_minutes": "0"})

    assert answer.status_code == 422
    assert not Accommodation.objects.exists()


def test_more_time_reaches_a_running_sitting_at_once(browser, cohort):
    """Ten minutes with two left, and the closing time inside that time: both limits move."""
    assignment = make_assignment(cohort, minutes=60, closes_at=timezone.now() + timedelta(minutes=61))
    sitting = make_sitting(assignment)
    extension = {"assignment": assignment.pk, "already_given": "0", "minutes": "10", "attempts": "0"}

    with time_machine.travel(sitting.deadline_at - timedelta(minutes=2), tick=False):
        answers = [browser.post(time_address(sitting.enrolment), extension) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Extension.objects.count() == 1  # the button was pressed twice
    longer = Sitting.objects.get(pk=sitting.pk)
    assert longer.deadline_at == sitting.deadline_at + timedelta(minutes=10)
    assert longer.on_time_until == assignment.closes_at + timedelta(minutes=10)
    assert AuditEntry.objects.get(verb="extend").after.startswith("10 minutes")
    assert longer.events.filter(kind="extended").count() == 1


def test_more_minutes_do_not_open_a_sitting_that_has_ended(browser, cohort):
    """They hold for another attempt, which the page offers."""
    assignment = make_assignment(cohort, minutes=60)
    sitting = make_sitting(assignment)
    minute_after = sitting.deadline_at + GRACE + timedelta(minutes=1)

    with time_machine.travel(minute_after, tick=False):
        page = browser.get(time_address(sitting.enrolment)).content.decode()
        browser.post(
            time_address(sitting.enrolment),
            {"assignment": assignment.pk, "already_given": "0", "minutes": "10", "attempts": "1"},
        )
        second = make_sitting(assignment, user=sitting.enrolment.user)

    assert "A sitting that has ended stays ended" in page
    ended = Sitting.objects.get(pk=sitting.pk)
    assert (ended.closed_by, ended.closed_at) == (ClosedBy.DEADLINE, sitting.deadline_at)
    assert (second.attempt, second.deadline_at) == (2, minute_after + timedelta(minutes=70))


def test_time_that_a_running_sitting_has_is_not_taken_away(browser, cohort):
    sitting = make_sitting(make_assignment(cohort, minutes=60))
    for factor in ("2", "1"):
        browser.post(time_address(sitting.enrolment), {"factor": factor, "extra_minutes": "0"})

    assert Sitting.objects.get(pk=sitting.pk).deadline_at == sitting.opened_at + timedelta(minutes=120)
    assert Accommodation.objects.get().factor == 1


def test_another_cohorts_test_cannot_be_extended_here(browser, cohort):
    enrolment, elsewhere = make_enrolment(cohort=cohort), make_assignment()

    answer = browser.post(
        time_address(enrolment), {"assignment": elsewhere.pk, "already_given": "0", "minutes": "10", "attempts": "0"}
    )

    assert answer.status_code == 404
    assert not Extension.objects.exists()


def test_an_instructor_sees_who_is_how_far(browser, cohort):
    assignment = make_assignment(cohort, minutes=60)
    running, ended = make_sitting(assignment), make_sitting(assignment)
    make_enrolment(cohort=cohort)
    sittings.hand_in(ended.pk)

    page = browser.get(address(assignment)).content.decode()

    assert "Attempt 1 began" in page
    assert "Attempt 1 ended" in page
    assert "Not begun." in page
    assert running.enrolment.user.name in page
