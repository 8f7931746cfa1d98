"""Finds the smallest counterexample of each known-wrong variant: `python -m grader.judge.searching EXERCISE_FOLDER`.

An author runs it once and keeps what it writes as `counterexamples.yaml`. It looks only among the forms of input that
the exercise's `switches.py` lists as LADDER, and knows no signature itself.
"""

import itertools
import json
import math
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from courseware.concepts.faults import Faults
from grader.exercises import WrongVariant, load_exercise
from grader.judge.arrays import Floats
from grader.judge.folders import Bench, Function, Rung, open_bench
from grader.judge.probing import Input

# A difference that a reader sees with three decimals, from the reference and from every other rule.
VISIBLE = 0.05
MOST = 1e6  # where only the shape or a NaN tells rules apart, there is no difference to be measured
ORDINARY_NUMBERS = (0.0, 1.0, 2.0)
EXTREME_NUMBERS = (0.0, 1.0, 1000.0, -1000.0)  # for fragile variants, which small numbers cannot break

Inputs = tuple[Input, ...]


def smallest(bench: Bench, variant: WrongVariant) -> Inputs | None:
    """Return the smallest input that tells a variant from the reference and from every other variant, or None.

    Among inputs of one form the one that tells them apart most clearly is returned. Inputs that leave every default
    alone come first, whatever their size. Numbers teach more than NaN does, so inputs on which a wrong variant is not
    finite are looked at only where no others tell it apart.
    """
    for with_numbers in (False,) if variant.is_fragile else (True, False):
        for rung in sorted(bench.ladder, key=lambda rung: (_plain_values(rung), _count(rung))):
            best, best_gap = None, VISIBLE
            for inputs in _inputs(rung, EXTREME_NUMBERS if variant.is_fragile else ORDINARY_NUMBERS):
                gap = _gap(bench, variant, inputs, with_numbers=with_numbers)
                if gap > best_gap:
                    best, best_gap = inputs, gap
            if best is not None:
                return best
    return None


def _gap(bench: Bench, variant: WrongVariant, inputs: Inputs, *, with_numbers: bool) -> float:
    """Return how far the variant is from the nearest other rule on these inputs; 0 where they are of no use."""
    own = _answer(bench.variants[variant.id], inputs)
    if own is None or (with_numbers and not np.isfinite(own).all()):
        return 0.0
    gap = MOST
    for other in _others(bench, variant):
        answer = _answer(other, inputs)
        if answer is not None and answer.shape == own.shape:
            gap = min(gap, _distance(own, answer))
        if gap <= VISIBLE:
            break
    return gap


def _others(bench: Bench, variant: WrongVariant) -> Iterator[Function]:
    yield bench.reference
    for other in bench.exercise.variants:
        if other.id != variant.id and other.id not in variant.equals and other.is_fragile == variant.is_fragile:
            yield bench.variants[other.id]


def _distance(one: Floats, other: Floats) -> float:
    finite = np.isfinite(one)
    if not np.array_equal(finite, np.isfinite(other)):
        return MOST
    return float(np.abs(one[finite] - other[finite]).max(initial=0.0))


def _answer(function: Function, inputs: Inputs) -> Floats | None:
    given = (value.copy() if isinstance(value, np.ndarray) else value for value in inputs)
    try:
        with np.errstate(all="ignore"):
            return np.asarray(function(*given), dtype=np.float64)
    except ValueError:
        return None


def _count(rung: Rung) -> int:
    """Return how many numbers an input of this form has: those of its arrays, and each plain value as one."""
    return sum(_size(form) for form in rung)


def _size(form: object) -> int:
    if isinstance(form, tuple):
        return math.prod(form)
    return form.size if isinstance(form, np.ndarray) else 1


def _plain_values(rung: Rung) -> int:
    return sum(not isinstance(form, tuple | np.ndarray) for form in rung)


def _inputs(rung: Rung, numbers: tuple[float, ...]) -> Iterator[Inputs]:
    shapes = [form for form in rung if isinstance(form, tuple)]
    for chosen in itertools.product(numbers, repeat=sum(math.prod(shape) for shape in shapes)):
        flat = iter(chosen)
        yield tuple(
            np.array(list(itertools.islice(flat, math.prod(form)))).reshape(form) if isinstance(form, tuple) else form
            for form in rung
        )


def main() -> None:
    faults = Faults()
    exercise = load_exercise(Path(sys.argv[1]).resolve(), faults)
    faults.raise_if_any()
    bench = open_bench(exercise)
    names = [parameter.name for parameter in exercise.arguments]
    for variant in exercise.variants:
        found = smallest(bench, variant)
        if found is not None:
            shown = (f"{name}: {_written(value)}" for name, value in zip(names, found, strict=False))
            sys.stdout.write(f"{variant.id}: {{{', '.join(shown)}}}\n")


def _written(value: Input) -> str:
    if isinstance(value, np.ndarray):
        return json.dumps((value if value.dtype == bool else value.astype(int)).tolist())
    return json.dumps(value)


if __name__ == "__main__":
    main()
