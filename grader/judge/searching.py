"""Finds the smallest counterexample of each known-wrong variant: `python -m grader.judge.searching EXERCISE_FOLDER`.

An author runs it once and keeps what it writes as `counterexamples.yaml`. It tries all small whole numbers in the forms
of input that the exercise's `switches.py` lists as LADDER, and knows no signature itself.
"""

import itertools
import json
import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercise
from grader.exercises import WrongVariant
from grader.judge.arrays import Floats
from grader.judge.folders import Bench, Function, Rung, open_bench
from grader.judge.probing import Input

# A difference that a reader sees with three decimals, from the reference and from every other rule.
VISIBLE = 0.05
MOST = 1e6  # where only the shape or a NaN tells rules apart, there is no difference to be measured
ORDINARY_NUMBERS = (0.0, 1.0, 2.0)
EXTREME_NUMBERS = (0.0, 1.0, 1000.0, -1000.0)  # for fragile variants, which small numbers cannot break

Inputs = tuple[Input, ...]


@dataclass
class _Wanted:
    """A variant that has no counterexample yet, and the best input of the form that is being looked through."""

    id: str
    others: list[str]  # the rules that it must be told from, those first that came near it last
    best: tuple[float, int] = (VISIBLE, 0)  # how clearly the input tells it from them, and how varied its numbers are
    inputs: Inputs | None = None


def smallest(bench: Bench) -> dict[str, Inputs]:
    """Return for each variant the smallest input that tells it from the reference and from every other variant.

    Among inputs of one form the one that tells them apart most clearly is returned; of several, one of varied numbers,
    whose way can be followed better than that of zeros. Inputs that leave every default
    alone come first, whatever their size. Numbers teach more than NaN does, so inputs on which a wrong variant is not
    finite are looked at only where no others tell it apart. A variant that no input tells apart is left out.
    """
    found: dict[str, Inputs] = {}
    shown = [variant for variant in bench.exercise.variants if not variant.is_costly]
    wrong, fragile = ([each for each in shown if each.is_fragile == is_fragile] for is_fragile in (False, True))
    found |= _found(bench, wrong, found, ORDINARY_NUMBERS, with_numbers=True)
    found |= _found(bench, wrong, found, ORDINARY_NUMBERS, with_numbers=False)
    found |= _found(bench, fragile, found, EXTREME_NUMBERS, with_numbers=False)
    return {variant.id: found[variant.id] for variant in shown if variant.id in found}


def _found(
    bench: Bench,
    variants: Sequence[WrongVariant],
    known: Mapping[str, Inputs],
    numbers: tuple[float, ...],
    *,
    with_numbers: bool,
) -> dict[str, Inputs]:
    """Return an input for each variant of one class that has none yet, as far as there is one."""
    rules = {variant.id: bench.variants[variant.id] for variant in variants}
    wanted = [
        _Wanted(variant.id, [other for other in rules if other not in (variant.id, *variant.equals)])
        for variant in variants
        if variant.id not in known
    ]
    found: dict[str, Inputs] = {}
    for rung in sorted(bench.ladder, key=lambda rung: (_plain_values(rung), _count(rung))):
        for inputs in _inputs(rung, numbers) if wanted else ():
            _look(bench.reference, rules, wanted, inputs, with_numbers=with_numbers)
        found |= {each.id: each.inputs for each in wanted if each.inputs is not None}
        wanted = [each for each in wanted if each.inputs is None]
    return found


def _look(
    reference: Function, rules: Mapping[str, Function], wanted: Sequence[_Wanted], inputs: Inputs, *, with_numbers: bool
) -> None:
    """Keep these inputs for the variants that they tell apart more clearly than any before."""
    answers: dict[str, Floats | None] = {}  # most rules are asked for few inputs: one that is near ends the look
    right = _answer(reference, inputs)
    for variant in wanted:
        if variant.id not in answers:
            answers[variant.id] = _answer(rules[variant.id], inputs)
        own = answers[variant.id]
        if own is None or (with_numbers and not np.isfinite(own).all()):
            continue
        gap = _distance(own, right)
        for place, other in enumerate(variant.others):
            if gap < variant.best[0]:
                break
            if other not in answers:
                answers[other] = _answer(rules[other], inputs)
            nearer = _distance(own, answers[other])
            if nearer < variant.best[0]:
                variant.others.insert(0, variant.others.pop(place))
            gap = min(gap, nearer)
        found = round(gap, 6), _variety(inputs)
        if gap > VISIBLE and found > variant.best:
            variant.best, variant.inputs = found, inputs


def _variety(inputs: Inputs) -> int:
    return sum(len(set(given.flat)) + int((given != 0).sum()) for given in inputs if isinstance(given, np.ndarray))


def _distance(one: Floats, other: Floats | None) -> float:
    if other is None or one.shape != other.shape:
        return MOST
    finite = np.isfinite(one)
    if not np.array_equal(finite, np.isfinite(other)):
        return MOST
    return min(MOST, float(np.abs(one[finite] - other[finite]).max(initial=0.0)))


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
    for id_, found in smallest(bench).items():
        shown = (f"{name}: {_written(value)}" for name, value in zip(names, found, strict=False))
        sys.stdout.write(f"{id_}: {{{', '.join(shown)}}}\n")


def _written(value: Input) -> str:
    if isinstance(value, np.ndarray):
        return json.dumps((value if value.dtype == bool else value.astype(int)).tolist())
    return json.dumps(value)


if __name__ == "__main__":
    main()
