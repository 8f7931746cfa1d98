"""The periodic task of tests: what nobody looks at ends at its deadline all the same.

`courseware/periodic.py` registers and schedules it.
"""

from collections.abc import Callable

from quizzes import closing

CLOSE_DUE = "periodic.close_due_sittings"
# A whole class may be due at one instant, and the jobs that keep submissions moving wait behind this one.
AT_ONCE = 50


def close_due_sittings() -> None:
    """Close sittings whose deadline has passed while their learners were away."""
    closing.close_due(at_most=AT_ONCE)


PERIODIC_TASKS: dict[str, Callable[[], None]] = {CLOSE_DUE: close_due_sittings}
