"""Finds the smallest counterexample of each known-wrong variant: `python -m grader.judge.searching EXERCISE_FOLDER`.

An author runs it once and keeps what it writes as `counterexamples.yaml`. Only for functions of three matrices:
queries, keys and values; another signature needs sizes of its own.
"""

import itertools
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from courseware.concepts.faults import Faults
from grader.exercises import WrongVariant, load_exercise
from grader.judge.arrays import Floats
from grader.judge.folders import Bench, Function, open_bench

# A difference that a reader sees with three decimals, from the reference and from every other rule.
VISIBLE = 0.05
ORDINARY_NUMBERS = (0.0, 1.0, 2.0)
EXTREME_NUMBERS = (0.0, 1.0, 1000.0)  # for fragile variants, which small numbers cannot break
MOST_NUMBERS = 10

Inputs = tuple[Floats, Floats, Floats]


def smallest(bench: Bench, variant: WrongVariant) -> Inputs | None:
    """Return the smallest input that tells a variant from the reference and from every other variant, or None.

    Among inputs of one size the one that tells them apart most clearly is returned.
    """
    for sizes in _sizes():
        best, best_gap = None, VISIBLE
        for inputs in _inputs(sizes, EXTREME_NUMBERS if variant.is_fragile else ORDINARY_NUMBERS):
            gap = _gap(bench, variant, inputs)
            if gap > best_gap:
                best, best_gap = inputs, gap
        if best is not None:
            return best
    return None


def _gap(bench: Bench, variant: WrongVariant, inputs: Inputs) -> float:
    """Return how far the variant is from the nearest other rule on these inputs; infinite where only it breaks."""
    own = _answer(bench.variants[variant.id], inputs)
    if own is None or np.isfinite(own).all() == variant.is_fragile:
        return 0.0
    others = [bench.reference]
    if not variant.is_fragile:
        others += [
            bench.variants[other.id]
            for other in bench.exercise.variants
            if not other.is_fragile and other.id != variant.id and other.id not in variant.equals
        ]
    gap = np.inf
    for other in others:
        answer = _answer(other, inputs)
        if answer is not None and answer.shape == own.shape and np.isfinite(answer).all():
            gap = min(gap, float(np.abs(answer - own).max()) if np.isfinite(own).all() else 1.0)
    return gap


def _answer(function: Function, inputs: Inputs) -> Floats | None:
    try:
        with np.errstate(all="ignore"):
            return np.asarray(function(*inputs), dtype=np.float64)
    except ValueError:
        return None


def _sizes() -> list[tuple[int, int, int, int]]:
    """Return queries, keys, width and value width, those with the fewest numbers first."""
    every = itertools.product((1, 2), (1, 2, 3), (1, 2), (1,))
    return sorted((sizes for sizes in every if _count(sizes) <= MOST_NUMBERS), key=_count)


def _count(sizes: tuple[int, int, int, int]) -> int:
    queries, keys, width, value_width = sizes
    return queries * width + keys * width + keys * value_width


def _inputs(sizes: tuple[int, int, int, int], numbers: tuple[float, ...]) -> Iterator[Inputs]:
    queries, keys, width, value_width = sizes
    first, second = queries * width, queries * width + keys * width
    for chosen in itertools.product(numbers, repeat=_count(sizes)):
        flat = np.array(chosen)
        yield (
            flat[:first].reshape(queries, width),
            flat[first:second].reshape(keys, width),
            flat[second:].reshape(keys, value_width),
        )


def main() -> None:
    faults = Faults()
    exercise = load_exercise(Path(sys.argv[1]).resolve(), faults)
    faults.raise_if_any()
    bench = open_bench(exercise)
    names = [parameter.name for parameter in exercise.parameters]
    for variant in exercise.variants:
        found = smallest(bench, variant)
        if found is not None:
            shown = (f"{name}: {array.astype(int).tolist()}" for name, array in zip(names, found, strict=True))
            sys.stdout.write(f"{variant.id}: {{{', '.join(shown)}}}\n")


if __name__ == "__main__":
    main()
