"""What an exercise's `precision.py` and `naive.py` demand: on which calls low precision is tried, and how near is near.

Reads the two files and nothing else; running programs is `low_precision`'s.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from grader.judge.probing import Call

CHECK = "low-precision"  # the id of the check that is decided so


@dataclass(frozen=True)
class Format:
    """A dtype of two bytes, and how far a result in it may be off.

    Source:  a right way of adding up may err by up to twice the plain way in the same dtype, as the tests of
             flash-attention have it; `floor` is about one unit in the last place of a result of 1, and beyond `cap`
             a result is useless however bad the plain way is
    """

    dtype: str
    floor: float
    cap: float

    def allowed(self, naive_error: float) -> float:
        return min(2 * naive_error + self.floor, self.cap)


FORMATS = (Format("float16", floor=1e-3, cap=1e-2), Format("bfloat16", floor=4e-3, cap=3e-2))


@dataclass(frozen=True)
class PrecisionRule:
    """How one exercise tries low precision."""

    calls: Callable[[np.random.Generator], Iterable[Call]]  # in float64; they are rounded to each format
    naive: str  # the source of the plain way, in the library that learners use


def read_rule(module: ModuleType, naive: str) -> PrecisionRule:
    """Return the rule that a loaded `precision.py` states; AttributeError where it is incomplete."""
    return PrecisionRule(calls=module.calls, naive=naive)
