"""The rule of variants is public, so its results are pinned: a change would give past papers other numbers."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.expressions import parse_expression
from quizzes.variants import combinations, fnv1a32, shuffled, variant_index


@pytest.mark.parametrize(
    ("text", "value"),
    # From the test vectors of the reference implementation (draft-eastlake-fnv, test_fnv.c).
    [("", 0x811C9DC5), ("a", 0xE40C292C), ("foobar", 0xBF9CF968), ("chongo was here!\n", 0xD49930D5)],
)
def test_the_hash_is_fnv_1a(text, value):
    assert fnv1a32(text) == value


def test_the_hash_is_over_utf_8():
    assert fnv1a32("é") == fnv1a32("é".encode().decode("utf-8")) != fnv1a32("e")


def test_the_last_parameter_varies_fastest_and_the_constraint_filters():
    found = combinations({"a": (1, 2), "b": (1, 2, 3)}, parse_expression("a < b"))

    assert [tuple(values.values()) for values in found] == [(1, 2), (1, 3), (2, 3)]


def test_golden_variants():
    question_id = "scaled-dot-product-attention/first-weight"

    assert [variant_index(f"seed{n}", question_id, 18) for n in range(6)] == [3, 4, 3, 0, 1, 12]


def test_golden_orders():
    orders = ["".join(shuffled("abcd", f"seed{n}", "attention/one")) for n in range(6)]

    assert orders == ["cdab", "cbad", "abcd", "abcd", "cabd", "acdb"]


@given(st.lists(st.integers(), unique=True, max_size=9), st.text(), st.text())
def test_a_shuffle_loses_and_doubles_nothing_and_repeats_itself(items, seed, question_id):
    once = shuffled(items, seed, question_id)

    assert sorted(once) == sorted(items)
    assert once == shuffled(items, seed, question_id)


def test_every_order_of_four_options_occurs():
    assert len({shuffled("abcd", f"{n:016x}", "attention/one") for n in range(1000)}) == 24


def test_every_option_comes_first_about_equally_often():
    """Whoever always picks the first option must not gain by it."""
    firsts = Counter(shuffled("abcd", f"{n:016x}", "attention/one")[0] for n in range(4000))

    assert all(900 < count < 1100 for count in firsts.values()), firsts
