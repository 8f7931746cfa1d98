"""Which of several attempts is a learner's result, by the test's own rule."""

from collections.abc import Iterable

from quizzes.models import Counts, Sitting


def counting(rule: str, sittings: Iterable[Sitting]) -> Sitting | None:
    """Return the sitting that counts, None while nothing was handed in. Of equal marks the earlier one counts."""
    closed = sorted((each for each in sittings if each.mark is not None), key=lambda each: each.attempt)
    if not closed:
        return None
    if rule == Counts.FIRST:
        return closed[0]
    if rule == Counts.LAST:
        return closed[-1]
    return max(closed, key=lambda each: each.mark or 0)
