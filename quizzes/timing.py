"""When a sitting ends, until when its answers are on time, and what lateness costs. Pure: no clock, no database.

Extra time moves everything that ends: the minutes, the closing time and the end of the late period, all by the same
number of minutes. A day is 24 hours here, so that a change of the clocks costs nobody a day.
"""

import math
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from fractions import Fraction

# The one grace: what was sent before the end may still be on its way, over a slow line twice. It is in no text that
# counts down, and the time of arrival decides.
GRACE = timedelta(seconds=30)
DAY = timedelta(hours=24)
LARGEST_FACTOR = 5  # beyond it somebody meant percent


@dataclass(frozen=True)
class Terms:
    """What a test allows everybody."""

    closes_at: datetime | None
    late_until: datetime | None
    minutes: int | None
    attempts: int


@dataclass(frozen=True)
class Extra:
    """What one learner is given beyond that."""

    factor: Decimal = Decimal(1)
    minutes: int = 0
    attempts: int = 0


@dataclass(frozen=True)
class Limits:
    """What a test allows one learner."""

    closes_at: datetime | None  # until then answers are on time
    late_until: datetime | None  # until then they are taken at a price
    minutes: int | None
    attempts: int
    more_minutes: int  # than everybody has

    @property
    def ends_at(self) -> datetime | None:
        """When nothing is taken any more, whenever a sitting was opened."""
        return self.late_until or self.closes_at

    def deadline(self, opened_at: datetime) -> datetime | None:
        """Return when a sitting that was opened then ends, None if it never does."""
        by_minutes = None if self.minutes is None else opened_at + timedelta(minutes=self.minutes)
        return min((limit for limit in (by_minutes, self.ends_at) if limit is not None), default=None)


def limits(terms: Terms, extra: Extra) -> Limits:
    """Return what holds for a learner with this extra time; a part of a minute is given as a whole one."""
    more = extra.minutes
    if terms.minutes is not None:
        more += math.ceil(terms.minutes * extra.factor) - terms.minutes
    shift = timedelta(minutes=more)
    return Limits(
        closes_at=None if terms.closes_at is None else terms.closes_at + shift,
        late_until=None if terms.late_until is None else terms.late_until + shift,
        minutes=None if terms.minutes is None else terms.minutes + more,
        attempts=terms.attempts + extra.attempts,
        more_minutes=more,
    )


def later(one: datetime | None, other: datetime | None) -> datetime | None:
    """Return the later of two limits; no limit is later than any."""
    return None if one is None or other is None else max(one, other)


def is_over(deadline: datetime | None, now: datetime) -> bool:
    """Tell whether nothing is taken any more."""
    return deadline is not None and now >= deadline + GRACE


def days_late(saved_at: datetime | None, on_time_until: datetime | None) -> int:
    """Return how many days late the last answer came; a day that has begun counts whole."""
    if saved_at is None or on_time_until is None or saved_at < on_time_until + GRACE:
        return 0
    return -((on_time_until - saved_at) // DAY)


def share_kept(days: int, percent_per_day: int) -> Fraction:
    """Return which part of the marks earned is left after so many days."""
    return Fraction(max(0, 100 - days * percent_per_day), 100)
