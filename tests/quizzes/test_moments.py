from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from quizzes.moments import clock, deadline, moment

INSTANT = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
VIENNA = ZoneInfo("Europe/Vienna")


def test_an_instant_is_shown_in_the_zone_of_the_cohort():
    assert clock(INSTANT, VIENNA) == "00:30"
    assert moment(INSTANT, VIENNA) == "Friday 1 January, 00:30"


def test_a_deadline_names_its_zone():
    assert deadline(INSTANT, VIENNA) == "Friday 1 January, 00:30 (Europe/Vienna time)"
