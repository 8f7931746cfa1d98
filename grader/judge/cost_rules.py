"""What an exercise's `cost.py` and `frugal.py` demand: at which lengths a program is measured and how fast it may grow.

Reads the two files and nothing else; measuring is `costing`'s.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from grader.judge.arrays import Floats
from grader.judge.probing import Call

CHECK = "cost"  # the id of the check that is decided by measuring, always the last one of its exercise


@dataclass(frozen=True)
class CostRule:
    """How one exercise measures memory and time, and what growth of memory it accepts."""

    counted: str  # what the lengths count, such as "tokens"
    lengths: tuple[int, ...]
    times: float  # how much faster than the course's own program it may grow between the last two lengths
    least_bytes: int  # growth up to this is never too much: less is noise of the allocator
    call: Callable[[np.random.Generator, int], Call]
    spots: Callable[[Call], tuple[Any, Floats]]  # a few places of the answer, and what is right there
    costly_bytes: Callable[[int], int]  # what the known costly program holds at least, by length
    frugal: str  # the source of the course's own program, in the library that learners use


def read_rule(module: ModuleType, frugal: str) -> CostRule:
    """Return the rule that a loaded `cost.py` states; AttributeError or ValueError where it is incomplete."""
    rule = CostRule(
        counted=module.COUNTED,
        lengths=tuple(module.LENGTHS),
        times=module.TIMES,
        least_bytes=module.LEAST_BYTES,
        call=module.call,
        spots=module.spots,
        costly_bytes=module.costly_bytes,
        frugal=frugal,
    )
    if len(rule.lengths) < 2 or rule.times < 1 or not frugal:
        raise ValueError("a rule for cost needs two lengths or more, a growth from 1, and frugal.py")
    return rule
