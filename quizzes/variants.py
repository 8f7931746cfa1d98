"""Seeded choices: which numbers a learner's question has, and in which order things stand.

The rule is written so that any language can repeat it: 32-bit FNV-1a over UTF-8, a Cartesian product whose last
parameter varies fastest, and a Fisher-Yates shuffle from the last place down. The same seed and id give the same
variant for ever, so nothing here may change without a new rule beside it. Pure.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from quizzes.expressions import Expression, Number

T = TypeVar("T")

_OFFSET_BASIS, _PRIME = 0x811C9DC5, 0x01000193  # of 32-bit FNV-1a


def fnv1a32(text: str) -> int:
    """Return the 32-bit FNV-1a hash of a text's UTF-8 bytes.

    Source:  Fowler, Noll & Vo; RFC 9923
    """
    return _hashed_on(_OFFSET_BASIS, text)


def _hashed_on(value: int, text: str) -> int:
    """Return the hash of a longer text whose beginning has this one."""
    for byte in text.encode():
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
    stream = _stream(seed, question_id)
    for last in range(len(order) - 1, 0, -1):
        other = next(stream) % (last + 1)
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _stream(seed: str, question_id: str) -> Iterator[int]:
    """Yield 32-bit values whose every bit depends on every bit of what was hashed.

    The hashes differ in the last byte, so their low bits move together: with the plain remainder the first of four
    options led in 33 % of 4,000 papers and the last in 9 %.

    Source:  the finaliser of MurmurHash3 (Appleby), 32 bits
    """
    beginning = fnv1a32(f"{seed}|{question_id}|")  # once for all numbers that follow
    for k in itertools.count():
        value = _hashed_on(beginning, str(k))
        value = (value ^ value >> 16) * 0x85EBCA6B & 0xFFFFFFFF
        value = (value ^ value >> 13) * 0xC2B2AE35 & 0xFFFFFFFF
        yield value ^ value >> 16
