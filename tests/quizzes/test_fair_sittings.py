"""Faults that learners of other systems have reported, each tried here, with the test that holds the right value.

| case | what went wrong elsewhere | test |
|---|---|---|
| B01 double submit | two attempts, points twice | `test_races.py::test_double_clicks_leave_one_attempt_and_one_score_in_twenty_rounds`, `test_handing_in_again_after_going_back_changes_nothing` |
| B02 two tabs | a stale tab overwrites | `test_sitting_script.py::test_two_tabs_on_one_sitting_overwrite_nothing_and_mix_nothing_up`, `…::test_of_two_versions_one_is_chosen_and_the_other_forgotten` |
| B03 two starts | two attempts, an error page | `test_races.py::test_double_clicks_leave_one_attempt_and_one_score_in_twenty_rounds`, `…::test_many_starts_at_once_open_one_sitting` |
| B05 daylight saving | a long day costs a day more | `test_timing.py::test_a_day_of_lateness_is_24_hours_whatever_the_clocks_do`, `test_being_late_over_the_autumn_change_costs_what_the_page_says` |
| B06 a wrong clock | "this exam closed" | `test_timer.py::test_a_clock_that_is_an_hour_wrong_or_set_meanwhile_changes_nothing`, `…::test_a_machine_that_slept_asks_at_once` |
| B07 two zones | a deadline read in another zone | `tests/results/test_assigning.py`, named there |
| B09 lost answers | no sign that saving failed | `test_sitting_script.py::test_what_was_typed_is_kept_at_once_and_restored_when_the_page_is_opened_again`, `…::test_offline_an_answer_is_kept_in_the_browser_and_sent_when_the_net_is_back` |
| B10 the last second | nothing after the due time counts | `test_deadlines.py::test_the_time_of_arrival_decides_with_one_grace_for_what_was_on_its_way`, `test_a_save_that_came_too_late_leads_to_what_was_handed_in` |
| B11 nobody there | 30 minutes recorded as 67 | `test_nobody_is_there_at_the_end_and_the_result_is` |
| B12 an extension | no effect, or still late | `tests/results/test_assigning.py`, named there; `test_timer.py::test_more_time_reaches_the_open_page_within_a_minute` |
| B20 parts | 99 for all right | `test_seven_right_sevenths_are_the_whole_on_every_page`, `test_marking.py::test_parts_of_a_mark_add_up_to_the_whole` |
| B21 rounding | page and export differ | `test_one_rounding_on_every_page_and_in_the_file` |
"""  # noqa: E501

import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
import time_machine
from django.urls import reverse

from quizzes import closing, sittings
from quizzes.models import ClosedBy, Sitting, Slot
from quizzes.timing import GRACE
from tests.factories import make_assignment, make_cohort, make_instructor, make_sitting
from tests.quizzes.answering import right_answer, slot_of, wrong_answer
from tests.quizzes.browsing import address, as_script

pytestmark = pytest.mark.django_db


def answer_right(sitting: Sitting, count: int, at: datetime | None = None) -> None:
    for slot in sitting.slots.select_related("snapshot")[:count]:
        with time_machine.travel(at or sitting.opened_at, tick=False):
            sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)


# --- B01 ---


def test_handing_in_again_after_going_back_changes_nothing(browser, sitting):
    answer_right(sitting, 2)
    pages = [browser.post(address("hand_in", sitting)) for _ in range(2)]
    slot = slot_of(sitting, "single")
    browser.post(address("question", sitting, slot.position), {"revision": "0", "choice": "1"})

    assert [page["Location"] for page in pages] == [address("review", sitting)] * 2
    assert Sitting.objects.get().mark == 2
    assert sitting.events.filter(kind="closed").count() == 1


# --- B05 ---


@pytest.mark.parametrize(
    ("late", "days", "mark"),
    [(timedelta(hours=23, minutes=30), 1, "3.6"), (timedelta(hours=24, minutes=30), 2, "3.2"),
     (timedelta(hours=25, minutes=30), 2, "3.2")],
)  # fmt: skip
def test_being_late_over_the_autumn_change_costs_what_the_page_says(late, days, mark, signed_in):
    """Due on the eve of the change: that calendar day has 25 hours, and a day of lateness has 24."""
    due = datetime(2026, 10, 24, 21, 59, tzinfo=UTC)  # 23:59 in Vienna
    assignment = make_assignment(
        make_cohort(time_zone="Europe/Vienna"), closes_at=due, late_until=due + timedelta(days=7),
        late_percent_per_day=10,
    )  # fmt: skip
    with time_machine.travel(due - timedelta(hours=1), tick=False):
        sitting = make_sitting(assignment)
        page = signed_in(sitting.enrolment.user).get(reverse("assignment", args=[assignment.pk])).content.decode()
    answer_right(sitting, 4, due + late)

    with time_machine.travel(due + late, tick=False):
        closed = sittings.hand_in(sitting.pk)
        review = signed_in(sitting.enrolment.user).get(address("review", sitting)).content.decode()

    assert "Being late costs 10 % of the marks earned for each day" in page
    assert "A day is 24 hours" in page
    assert (closed.days_late, closed.mark) == (days, Decimal(mark))
    assert closed.mark + closed.taken_off == 4
    assert f"The last answer came {days} day" in review
    assert f"<h1>{mark} of 9</h1>" in review


def test_whoever_had_saved_everything_in_time_is_not_late_for_staying_away():
    due = datetime(2026, 12, 1, 12, tzinfo=UTC)
    assignment = make_assignment(closes_at=due, late_until=due + timedelta(days=7), late_percent_per_day=10)
    with time_machine.travel(due - timedelta(hours=1), tick=False):
        sitting = make_sitting(assignment)
    answer_right(sitting, 4, due + GRACE - timedelta(seconds=1))

    with time_machine.travel(due + timedelta(days=8), tick=False):
        closed = closing.close_if_due(sitting)

    assert (closed.closed_at, closed.days_late, closed.mark) == (due + timedelta(days=7), 0, 4)


# --- B10 ---


def test_a_save_that_came_too_late_leads_to_what_was_handed_in(signed_in):
    """With scripts and without: the sentence says that what was saved counts, and the result is there."""
    sitting = make_sitting(make_assignment(minutes=10))
    browser, slot = signed_in(sitting.enrolment.user), slot_of(sitting, "single")
    answer_right(sitting, 9)
    url, form = address("question", sitting, slot.position), {"revision": "1", "choice": "1"}

    with time_machine.travel(sitting.deadline_at + GRACE, tick=False):
        told = as_script(browser, url, form)
        page = browser.post(url, form, follow=True).content.decode()

    assert told.status_code == 409
    assert told.json()["refused"].endswith("What was saved by then was handed in.")
    assert told.json()["is_closed"] is True
    assert "What was saved by then was handed in." in page
    assert "<h1>9 of 9</h1>" in page


# --- B11 ---


def test_nobody_is_there_at_the_end_and_the_result_is(signed_in):
    """Staff look two hours later, the learner comes back on the next day: the sitting ended at its limit."""
    sitting = make_sitting(make_assignment(minutes=30))
    answer_right(sitting, 3)
    teacher, learner = signed_in(make_instructor(sitting.assignment.cohort)), signed_in(sitting.enrolment.user)
    cohort = sitting.assignment.cohort_id

    with time_machine.travel(sitting.deadline_at + timedelta(hours=2), tick=False):
        seen = teacher.get(reverse("cohort", args=[cohort])).content.decode()
    with time_machine.travel(sitting.deadline_at + timedelta(days=1), tick=False):
        back = learner.get(address("question", sitting, 4), follow=True)

    assert ">3 of 9</a>" in seen
    ended = Sitting.objects.get()
    assert (ended.closed_by, ended.closed_at) == (ClosedBy.DEADLINE, ended.opened_at + timedelta(minutes=30))
    assert back.redirect_chain[-1][0] == address("review", sitting)
    assert "The 3 answers saved by then" in back.content.decode()


# --- B20, B21 ---


def test_seven_right_sevenths_are_the_whole_on_every_page(signed_in):
    """Seven questions share one mark; as decimals of four places they would add up to 1.0003."""
    sitting = make_sitting()
    kept = sitting.slots.filter(position__lte=7)
    Slot.objects.filter(sitting=sitting).exclude(pk__in=kept).delete()
    answer_right(sitting, 7)
    Sitting.objects.update(out_of=7)

    closed = sittings.hand_in(sitting.pk)

    assert closed.mark == closed.out_of == 7
    assert "<h1>7 of 7</h1>" in signed_in(sitting.enrolment.user).get(address("review", sitting)).content.decode()


@pytest.mark.parametrize(("mark", "shown"), [("0.6667", "0.67"), ("2.6750", "2.68"), ("0.3000", "0.3")])
def test_one_rounding_on_every_page_and_in_the_file(mark, shown, sitting, browser, signed_in):
    sittings.hand_in(sitting.pk)
    Sitting.objects.update(mark=Decimal(mark))
    cohort = sitting.assignment.cohort
    teacher = signed_in(make_instructor(cohort))

    pages = [
        browser.get(reverse("assignments")),
        browser.get(reverse("assignment", args=[sitting.assignment_id])),
        browser.get(address("review", sitting)),
        teacher.get(reverse("cohort", args=[cohort.pk])),
        teacher.get(reverse("cohort_learner", args=[cohort.pk, sitting.enrolment.user.uuid])),
        teacher.get(reverse("cohort_sitting", args=[cohort.pk, sitting.pk])),
    ]
    csv = b"".join(teacher.get(reverse("cohort_csv", args=[cohort.pk]))).decode()

    assert [re.search(r"([\d.]+) of 9\b", page.content.decode())[1] for page in pages] == [shown] * 6
    assert f",{shown},9," in csv


# --- saves that know their page ---


def test_a_page_that_lost_a_receipt_goes_on_and_its_late_copies_change_nothing():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")
    right, wrong = right_answer(slot), wrong_answer(slot)
    page, other = "0123456789abcdef", "fedcba9876543210"

    def save(answer, name, revision=0):
        outcome = sittings.record_answer(sitting.pk, slot.position, answer, revision, save_id=name)
        return getattr(outcome, "revision", None)

    assert save(right, f"{page}-1") == 1
    assert save(wrong, f"{page}-2") == 2  # the receipt of the first was lost
    assert save(wrong, f"{page}-2") == 2  # the same save again
    assert save(right, f"{page}-1") is None  # a copy of the first arrives after all
    assert save(right, f"{other}-9") is None  # another tab, which knows nothing
    assert save(right, "") is None
    assert save(right, f"{other}-9", revision=2) == 3


@pytest.mark.parametrize("save_id", ["x" * 32, "0123456789abcdef-", "-1", "0123456789ABCDEF-1"])
def test_a_made_up_name_of_a_save_gives_no_right(save_id):
    sitting = make_sitting()
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0, save_id=save_id)

    refused = sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0, save_id=save_id)

    assert isinstance(refused, sittings.Refusal)
