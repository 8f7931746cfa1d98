"""The conditions of a test as sentences, for whoever sits it and for whoever gives it: the same words for both."""

from zoneinfo import ZoneInfo

from quizzes.models import Assignment
from quizzes.moments import deadline
from quizzes.timing import GRACE, Limits


def sentences(assignment: Assignment, limits: Limits) -> tuple[str, ...]:
    """Return what holds for a learner with these limits, a sentence or two for each matter."""
    zone = assignment.zone
    found = [_minutes(limits), _attempts(assignment, limits)]
    if assignment.opens_at is not None:
        found.append(f"The test opens on {deadline(assignment.opens_at, zone)}.")
    if limits.closes_at is not None:
        found += _closing(assignment, limits, zone)
    if limits.more_minutes:
        found.append(f"You have {_minutes_of(limits.more_minutes)} more than others, which is in every time above.")
    if limits.minutes is not None or limits.ends_at is not None:
        seconds = GRACE.seconds
        found.append(
            f"What was sent before the end and is still on its way is taken for {seconds} seconds more; the time at"
            " which it arrives decides."
        )
    return tuple(found)


def _minutes(limits: Limits) -> str:
    if limits.minutes is None:
        return "There is no time limit once you have begun." if limits.ends_at else "There is no time limit."
    return (
        f"You have {_minutes_of(limits.minutes)} from the start, by the server’s clock, without a pause. What is saved"
        " when they are over is handed in for you."
    )


def _closing(assignment: Assignment, limits: Limits, zone: ZoneInfo) -> list[str]:
    assert limits.closes_at is not None
    closes = f"The test closes on {deadline(limits.closes_at, zone)}."
    if limits.late_until is None:
        return [f"{closes} A sitting that is open then ends, and what is saved is handed in."]
    return [
        f"{closes} Answers are taken late until {deadline(limits.late_until, zone)}.",
        f"Being late costs {assignment.late_percent_per_day} % of the marks earned for each day, up to your last"
        " answer. A day is 24 hours, and one that has begun counts whole.",
    ]


def _attempts(assignment: Assignment, limits: Limits) -> str:
    count = "One attempt" if limits.attempts == 1 else f"{limits.attempts} attempts"
    if assignment.is_practice:
        return f"{count}. This is practice: it is part of no grade."
    return f"{count}." if limits.attempts == 1 else f"{count}; the {assignment.counts} one counts."


def _minutes_of(count: int) -> str:
    return f"{count} {'minute' if count == 1 else 'minutes'}"
