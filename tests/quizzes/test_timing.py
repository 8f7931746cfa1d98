from datetime import UTC, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from zoneinfo import ZoneInfo

import pytest

from quizzes.timing import GRACE, Extra, Terms, days_late, is_over, later, limits, share_kept

OPENED = datetime(2026, 12, 1, 9, 0, tzinfo=UTC)
CLOSES = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
TERMS = Terms(closes_at=CLOSES, late_until=CLOSES + timedelta(days=2), minutes=25, attempts=1)


def test_without_extra_time_the_terms_hold_as_they_stand():
    mine = limits(TERMS, Extra())

    assert (mine.closes_at, mine.late_until, mine.minutes, mine.attempts) == (CLOSES, TERMS.late_until, 25, 1)
    assert mine.deadline(OPENED) == OPENED + timedelta(minutes=25)


def test_extra_time_moves_everything_that_ends_by_the_same_minutes_and_rounds_up():
    """1.5 times 25 is 37.5: 38, and 10 more are 48, which is 23 more than others have."""
    mine = limits(TERMS, Extra(factor=Decimal("1.5"), minutes=10, attempts=2))

    assert (mine.minutes, mine.more_minutes, mine.attempts) == (48, 23, 3)
    assert mine.closes_at == CLOSES + timedelta(minutes=23)
    assert mine.late_until == TERMS.late_until + timedelta(minutes=23)


def test_half_the_time_more_is_not_cut_off_by_the_closing_time():
    """Somebody who starts 20 minutes before a test of 60 closes has 20; with half more, 50."""
    terms = Terms(closes_at=CLOSES, late_until=None, minutes=60, attempts=1)
    opened = CLOSES - timedelta(minutes=20)

    assert limits(terms, Extra()).deadline(opened) == CLOSES
    assert limits(terms, Extra(factor=Decimal("1.5"))).deadline(opened) == CLOSES + timedelta(minutes=30)


def test_a_factor_needs_minutes_to_multiply_and_extra_minutes_do_not():
    untimed = Terms(closes_at=CLOSES, late_until=None, minutes=None, attempts=1)

    mine = limits(untimed, Extra(factor=Decimal(2), minutes=15))

    assert (mine.minutes, mine.closes_at) == (None, CLOSES + timedelta(minutes=15))


def test_a_test_without_limits_never_ends():
    assert limits(Terms(None, None, None, 1), Extra(factor=Decimal(2), minutes=5)).deadline(OPENED) is None
    assert not is_over(None, OPENED)


def test_no_limit_is_later_than_any():
    assert later(None, CLOSES) is later(CLOSES, None) is None
    assert later(OPENED, CLOSES) == later(CLOSES, OPENED) == CLOSES


@pytest.mark.parametrize(
    ("seconds", "over"), [(-1, False), (0, False), (1, False), (29, False), (30, True), (31, True)]
)
def test_one_grace_follows_the_end(seconds, over):
    assert timedelta(seconds=30) == GRACE
    assert is_over(CLOSES, CLOSES + timedelta(seconds=seconds)) is over


@pytest.mark.parametrize(
    ("late", "days"),
    [
        (timedelta(0), 0),
        (GRACE - timedelta(seconds=1), 0),
        (GRACE, 1),
        (timedelta(hours=23, minutes=30), 1),
        (timedelta(hours=24), 1),
        (timedelta(hours=24, seconds=1), 2),
        (timedelta(hours=24, minutes=30), 2),
        (timedelta(hours=25, minutes=30), 2),
    ],
)
@pytest.mark.parametrize("eve", [datetime(2026, 10, 24, 23, 59), datetime(2026, 3, 28, 23, 59), datetime(2026, 6, 1)])
def test_a_day_of_lateness_is_24_hours_whatever_the_clocks_do(eve, late, days):
    """On the eve of the autumn change a calendar day has 25 hours, on that of spring 23; nobody loses by it."""
    due = eve.replace(tzinfo=ZoneInfo("Europe/Vienna"))
    saved_at = due.astimezone(UTC) + late

    assert days_late(saved_at, due) == days


def test_what_was_never_saved_or_never_due_is_not_late():
    assert days_late(None, CLOSES) == days_late(CLOSES, None) == 0


def test_lateness_takes_its_share_for_each_day_and_never_more_than_all():
    assert [share_kept(days, 10) for days in (0, 1, 3)] == [1, Fraction(9, 10), Fraction(7, 10)]
    assert share_kept(4, 30) == 0
