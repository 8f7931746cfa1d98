"""The search for counterexamples: what an exercise keeps is as small as what can be found."""

import numpy as np
import pytest

from grader.judge.probing import Input
from grader.judge.searching import smallest
from tests.judge.benches import bench


def count(inputs: tuple[Input, ...]) -> int:
    return sum(given.size if isinstance(given, np.ndarray) else 1 for given in inputs)


@pytest.mark.parametrize("slug", ["merge-heads", "sinusoidal-positions"])
def test_what_an_exercise_keeps_is_as_small_as_anything_on_its_ladder(slug: str) -> None:
    found = smallest(bench(slug))

    kept = bench(slug).counterexamples
    assert {id_: count(inputs) for id_, inputs in found.items()} == {id_: count(kept[id_]) for id_ in kept}


def test_of_equally_clear_inputs_one_of_varied_numbers_is_found() -> None:
    """Zeros show a wrong shape just as well, but nobody can see where they went."""
    found = smallest(bench("merge-heads"))

    assert all(np.count_nonzero(array) > array.size // 2 for (array,) in found.values())
