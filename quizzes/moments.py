"""Instants as pages show them and as people type them: in the time zone of the cohort. Knows nothing of tests."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

EARLIEST, LATEST = 2000, 2999  # years; others are slips of the hand, and the first and last have no UTC at all

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


class UnreadableMoment(ValueError):
    """What was typed names no instant; the message is a whole sentence for whoever typed it."""


def typed(instant: datetime, zone: ZoneInfo) -> str:
    """Return a moment as a field for day and time holds it, such as 2026-12-01T23:59."""
    return f"{instant.astimezone(zone):%Y-%m-%dT%H:%M}"


def read(text: str, zone: ZoneInfo) -> datetime:
    """Return the one instant that a day and time of this zone mean.

    Errors:  UnreadableMoment if there is no such time, none on that day, or two of it
    """
    try:
        local = datetime.fromisoformat(text.strip())
    except ValueError:
        raise UnreadableMoment("Write a day and a time, such as 2026-12-01 23:59.") from None
    if local.tzinfo is not None or not EARLIEST <= local.year <= LATEST:
        raise UnreadableMoment(f"Write a day between {EARLIEST} and {LATEST} and a time without a zone.")
    first, second = (local.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
    clock_time, day = f"{local:%H:%M}", f"{local.day} {_MONTHS[local.month - 1]} {local.year}"
    if first.astimezone(zone).replace(tzinfo=None) != local:
        shown = f"{first.astimezone(zone):%H:%M}"
        raise UnreadableMoment(
            f"There is no {clock_time} on {day} in {zone.key}: the clocks are put forward past it. At that moment they"
            f" show {shown}."
        )
    if first != second:
        raise UnreadableMoment(
            f"{clock_time} comes twice on {day} in {zone.key}, since the clocks are put back: at {first:%H:%M} and at"
            f" {second:%H:%M} UTC. Choose a time before or after that hour."
        )
    return first
