"""When two typed answers are the same one: nothing that looks alike counts twice, nothing that differs is lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.wording import folded, tidied


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("row-wise", "row wise"),
        ("row-wise", "rowwise"),
        ("row-wise", "Row‑Wise"),  # a hyphen that does not break
        ("row-wise", "row – wise"),
        ("row-wise", "ROW\u00a0\t WISE."),
        ("row-wise", "“row-wise”"),
        ("row-wise", "'row-wise'"),
        ("row-wise", "`row-wise`"),
        ("row-wise", "row\u00adwise"),  # a soft hyphen
        ("row-wise", "\u202arow-wise\u202c"),  # as it comes from a spreadsheet
        ("it's", "it’s"),
        ("softmax", "ｓｏｆｔｍａｘ"),
        ("Straße", "STRASSE"),
        ("attention", "ATTENTİON"),
        ("attention ﬁeld", "attention field"),
        ("é", "e\u0301"),
        ("2π", "2 π"),
        ("−∞", "-∞"),
        ("n²", "n^2"),
        ("½", "1/2"),
        ("GPT-2", "GPT2"),
        ("4-bit", "4 bit"),
        ("n-gram", "ngram"),
    ],
)
def test_two_ways_to_write_one_answer_are_one(one, other):
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("-1", "1"),
        ("n-1", "n1"),
        ("n²", "n2"),
        ("O(n-1)", "O(n1)"),
        ("−∞", "∞"),
        ("1.5", "15"),
        ("f'", "f"),
        ("é", "e"),
    ],
)
def test_what_differs_in_meaning_stays_apart(one, other):
    assert folded(one) != folded(other)


@given(st.text(max_size=30))
def test_tidying_twice_changes_nothing_and_no_comparison(text):
    assert folded(tidied(text)) == folded(text)
    assert tidied(tidied(text)) == tidied(text)
