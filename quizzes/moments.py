"""Instants as pages show them: in the time zone of the cohort, in English. Knows nothing of tests."""

from datetime import datetime
from zoneinfo import ZoneInfo

# Written out, since strftime follows the locale of whatever host this runs on.
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def clock(instant: datetime, zone: ZoneInfo) -> str:
    """Return the time of day, such as 12:04."""
    return f"{instant.astimezone(zone):%H:%M}"


def moment(instant: datetime, zone: ZoneInfo) -> str:
    """Return the day and the time of day, such as Tuesday 1 December, 12:43."""
    local = instant.astimezone(zone)
    return f"{_DAYS[local.weekday()]} {local.day} {_MONTHS[local.month - 1]}, {local:%H:%M}"


def deadline(instant: datetime, zone: ZoneInfo) -> str:
    """Return a moment with the name of its zone, since a deadline must not be guessed."""
    return f"{moment(instant, zone)} ({zone.key} time)"
