"""The rules that a program may follow: the known-wrong variants of an exercise, and any two of them at once.

Owns what a rule is and what it answers to a call. It must not know what any program answered.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.arrays import Numbers
from grader.judge.folders import Bench, Function
from grader.judge.probing import Call


@dataclass(frozen=True)
class Rule:
    """One behaviour, and the mistakes that make it: one variant, or each two that make the same."""

    function: Function
    readings: tuple[tuple[WrongVariant, ...], ...]

    @property
    def variant(self) -> WrongVariant | None:
        """Return the variant whose behaviour it is; None where it takes two mistakes."""
        return self.readings[0][0] if len(self.readings[0]) == 1 else None


def single_rules(bench: Bench) -> list[Rule]:
    """Return a rule for each variant."""
    return [Rule(bench.variants[variant.id], ((variant,),)) for variant in bench.exercise.variants]


def pair_rules(bench: Bench) -> list[Rule]:
    """Return a rule for each two variants that can be had at once and that show on ordinary inputs."""
    return [Rule(function, ((one, other),)) for one, other, function in _pairs(bench)]


def _pairs(bench: Bench) -> Iterator[tuple[WrongVariant, WrongVariant, Function]]:
    if bench.family is None:
        return
    shown = [each for each in bench.exercise.variants if not (each.is_fragile or each.is_costly)]
    for one, other in combinations(shown, 2):
        first, second = bench.switches.get(one.id), bench.switches.get(other.id)
        if first and second and not first.keys() & second.keys():
            yield one, other, bench.family(**first, **second)


def answer_of(function: Function, call: Call) -> tuple[Numbers | None, list[int]]:
    """Return what a trusted rule answers to a call and which arguments it changed.

    The answer is None where it raises: some rules do unless sizes are equal.
    """
    given = call.copies()
    try:
        with np.errstate(all="ignore"):
            answer = np.asarray(function(*given))
    except (ValueError, IndexError, TypeError, ArithmeticError):
        answer = None
    changed = [
        position
        for position, (before, after) in enumerate(zip(call.inputs, given, strict=True))
        if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and not np.array_equal(before, after)
    ]
    return answer, changed
