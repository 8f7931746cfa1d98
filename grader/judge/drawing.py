"""What an exercise's `calls(random)` builds on: sizes, masks and scores to draw, and calls in words."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.judge.arrays import Floats, Numbers


def distinct_sizes(random: np.random.Generator, count: int) -> list[int]:
    """Return different sizes from 3 to 8, so that no two axes can be exchanged unnoticed.

    Source:  probes of width 2 or less, or with equal sizes, let most known-wrong attention programs pass
    """
    return [int(size) for size in random.permutation(np.arange(3, 9))[:count]]


def drawn_mask(random: np.random.Generator, *shape: int) -> NDArray[np.bool_]:
    """Return truth values of which each row has some that are true and some that are false, at different places."""
    kept = random.integers(1, shape[-1], shape[:-1])
    mask: NDArray[np.bool_] = random.permuted(np.arange(shape[-1]) < kept[..., np.newaxis], axis=-1)
    return mask


def with_largest_score(score: float, Q: Floats, K: Floats, kept: Any = True) -> tuple[Floats, Floats]:
    """Return Q and K with Q scaled so that the largest score that a mask leaves, after its division, is this one."""
    products = Q @ K.T / Q.shape[-1] ** 0.5
    largest = products[np.broadcast_to(kept, products.shape)].max()
    return Q * score / abs(largest), K


def with_scores_down_to(random: np.random.Generator, lowest: float, Q: Floats, K: Floats) -> tuple[Floats, Floats]:
    """Return others of the shapes of Q and K, whose scores all lie between a negative number and 4/9 of it."""
    queries, keys = (random.uniform(1.0, 1.5, array.shape) for array in (Q, K))
    largest = (queries @ keys.T).max() / Q.shape[-1] ** 0.5
    return queries * lowest / largest, keys


def counted(number: int, one: str, more: str = "") -> str:
    """Return a number with the word for what is counted: "1 query", "3 queries"."""
    return f"{number} {one if number == 1 else more or f'{one}s'}"


def leading_in_words(array: Numbers, *, axes: int = 2) -> str:
    """Return the sizes of the axes before the last few, each with a sign after it: "2 × 9 × "."""
    return "".join(f"{size} × " for size in array.shape[:-axes])


def tokens_in_words(x: Numbers) -> str:
    """Return the sizes of a text's vectors: "2 × 5 tokens, width 4"."""
    return f"{leading_in_words(x)}{counted(x.shape[-2], 'token')}, width {x.shape[-1]}"


def queries_in_words(Q: Numbers, K: Numbers) -> str:
    """Return the sizes of queries and keys: "2 × 4 queries, 1 key, width 6"."""
    keys = counted(K.shape[-2], "key")
    return f"{leading_in_words(Q)}{counted(Q.shape[-2], 'query', 'queries')}, {keys}, width {Q.shape[-1]}"
