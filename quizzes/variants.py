"""Seeded choices: which numbers a learner's question has, and in which order things stand.

The rule is written so that any language can repeat it: 32-bit FNV-1a over UTF-8, a Cartesian product whose last
parameter varies fastest, and a Fisher-Yates shuffle from the last place down. The same seed and id give the same
variant for ever, so nothing here may change without a new rule beside it. Pure.
"""

import itertools
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from quizzes.expressions import Expression, Number

T = TypeVar("T")

_OFFSET_BASIS, _PRIME = 0x811C9DC5, 0x01000193  # of 32-bit FNV-1a


def fnv1a32(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text's UTF-8 bytes.

    Source:  Fowler, Noll & Vo; RFC 9923
    """
    return _hashed_on(_OFFSET_BASIS, text.encode())


def _hashed_on(value: int, text: bytes) -> int:
    """Return the hash of a longer text whose beginning has this one."""
    for byte in text:
        value = (value ^ byte) * _PRIME & 0xFFFFFFFF
    return value


def combinations(
    parameters: Mapping[str, Sequence[Number]], where: Expression | None = None
) -> tuple[Mapping[str, Number], ...]:
    """Return every allowed set of parameter values, the last parameter varying fastest.

    Errors:  ExpressionError if the constraint cannot be evaluated
    """
    names = list(parameters)
    grid = (dict(zip(names, values, strict=True)) for values in itertools.product(*parameters.values()))
    return tuple(values for values in grid if where is None or where.holds(values))


def variant_index(seed: str, question_id: str, count: int) -> int:
    """Return which of `count` combinations a question has under this seed."""
    return fnv1a32(f"{seed}|{question_id}") % count


def shuffled(items: Sequence[T], seed: str, question_id: str) -> tuple[T, ...]:
    """Return the items in the order that this seed gives them for this question."""
    order = list(items)
    # Hashed once: the beginning of all numbers that follow it, and a seed for all questions of its paper.
    beginning = _hashed_on(_of_seed(seed), f"{question_id}|".encode())
    for k, last in enumerate(range(len(order) - 1, 0, -1)):
        other = _mixed(_hashed_on(beginning, b"%d" % k)) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _mixed(value: int) -> int:
    """Return 32 bits of which each depends on every bit of a hash.

    The hashes differ in the last byte, so their low bits move together: with the plain remainder the first of four
    options led in 33 % of 4,000 papers and the last in 9 %.

    Source:  the finaliser of MurmurHash3 (Appleby), 32 bits
    """
    value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
    value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
    return value ^ value >> 16


@lru_cache(maxsize=64)
def _of_seed(seed: str) -> int:
    return fnv1a32(f"{seed}|")
