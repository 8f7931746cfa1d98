"""Numbers and instants in words, as this package's pages write them. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal

LIBRARIES = {"numpy": "NumPy", "pytorch": "PyTorch"}

_CARDINALS = ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve")
_ORDINALS = (
    "First", "Second", "Third", "Fourth", "Fifth", "Sixth",
    "Seventh", "Eighth", "Ninth", "Tenth", "Eleventh", "Twelfth",
)  # fmt: skip


def cardinal(number: int) -> str:
    """Return a small number as a word that may begin a sentence."""
    return _CARDINALS[number] if number < len(_CARDINALS) else str(number)


def ordinal(place: int) -> str:
    """Return a place, counted from 1, as a word that may begin a sentence."""
    return _ORDINALS[place - 1] if place <= len(_ORDINALS) else f"Number {place}"


def marks(number: Decimal) -> str:
    """Return marks without zeros that say nothing: 10, 4.5."""
    return f"{number.quantize(Decimal('0.01')).normalize():f}"


def clock(instant: datetime) -> str:
    """Return a time of day with its zone: work on an exercise belongs to a person, whose cohorts may differ in zone."""
    return f"{instant.astimezone(UTC):%H:%M} UTC"


def clock_seconds(instant: datetime) -> str:
    return f"{instant.astimezone(UTC):%H:%M:%S} UTC"


def duration(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 0.1 else f"{seconds * 1000:.0f} ms"


def about(seconds: float) -> str:
    """Return a length of time as one says it of something expected: 5 seconds, a minute, 12 minutes."""
    if seconds < 45:
        return f"{max(5, 5 * round(seconds / 5))} seconds"
    minutes = round(seconds / 60)
    return "a minute" if minutes <= 1 else f"{minutes} minutes"


def cell(number: float | None) -> str:
    """Return one number of a matrix; the judge leaves a gap where it was not finite."""
    if number is None:
        return "NaN"
    return f"{number:.3f}" if number != int(number) else str(int(number))


def rows(matrix: Sequence[Sequence[float | None]]) -> list[list[str]]:
    return [[cell(number) for number in row] for row in matrix]
