"""Matrix expressions give what NumPy gives, and nothing else can be said in them."""

import math
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from courseware.drawing.matrices import matrix
from quizzes.expressions import ExpressionError
from quizzes.matrix_expressions import parse_matrix_expression

A = matrix([[1, 2], [3, 4], [5, 6]])
SQUARE = matrix([[1, -2], [0, 4]])
KNOWN = {"A": A, "B": SQUARE}

numbers = st.floats(min_value=-9, max_value=9)


def value(text: str, known=KNOWN, **numbers):
    return parse_matrix_expression(text, frozenset(known)).matrix({"n": 3, "d": 4, **numbers}, known)


@st.composite
def three_matrices(draw):
    n, m, d = (draw(st.integers(1, 5)) for _ in range(3))
    return tuple(
        np.array(draw(st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows)))
        for rows, columns in ((n, d), (m, d), (m, d))
    )


def softmax(scores: np.ndarray, axis: int) -> np.ndarray:
    exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)


@given(given_matrices=three_matrices())
def test_attention_is_what_numpy_gives(given_matrices):
    q, k, v = given_matrices
    known = {name: matrix(values.tolist()) for name, values in zip("QKV", given_matrices, strict=True)}
    scores = q @ k.T / np.sqrt(q.shape[1])

    for text, expected in [
        ("Q @ T(K) / sqrt(w)", scores),
        ("softmax_rows(Q @ T(K) / sqrt(w)) @ V", softmax(scores, 1) @ v),
        ("softmax_columns(Q @ T(K) / sqrt(w)) @ V", softmax(scores, 0) @ v),
        ("2 * K - -V * K", 2 * k + v * k),
    ]:
        assert np.allclose(value(text, known, w=q.shape[1]), expected), text


def test_masks_block_what_their_names_say():
    inf = math.inf

    assert value("causal_mask(n)") == ((0, -inf, -inf), (0, 0, -inf), (0, 0, 0))
    assert value("causal_mask(n, 0)") == ((-inf, -inf, -inf), (0, -inf, -inf), (0, 0, -inf))
    assert value("padding_mask(2, [2])") == ((0, -inf), (0, -inf))
    assert value("padding_mask(2, 3, [1, 3])") == ((-inf, 0, -inf), (-inf, 0, -inf))
    assert value("T(causal_mask(2))") == ((0, 0), (-inf, 0))


def test_a_mask_can_be_added_kept_after_the_softmax_or_written_out():
    assert value("softmax_rows(0 * B + causal_mask(2))") == ((1, 0), (0.5, 0.5))
    assert value("keep_where(softmax_rows(0 * B), causal_mask(2))") == ((0.5, 0), (0.5, 0.5))
    assert value("divide_rows(keep_where(softmax_rows(0 * B), causal_mask(2)))") == ((1, 0), (0.5, 0.5))
    assert value("[[0, -inf], [n - 3, d]]") == ((0, -math.inf), (0, 4))
    assert value("softmax_or_zeros(0 * B + causal_mask(2, 0))") == ((0, 0), (1, 0))
    assert value("exp(causal_mask(2))") == ((1, 0), (1, 1))
    assert value("identity(2) @ B * 2 + [[exp(0), 0], [0, 1]]") == ((3, -4), (0, 9))
    assert value("[1, 2] @ B") == ((1, 6),)


def test_no_entry_is_a_minus_zero():
    assert [math.copysign(1, entry) for row in value("-1 * (0 * B)") for entry in row] == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A @ A", "no product"),
        ("A + B", "the shapes differ"),
        ("A + 1", "joins a matrix in a way"),
        ("1 / A", "joins a matrix in a way"),
        ("A / B", "joins a matrix in a way"),
        ("A ** 2", "joins a matrix in a way"),
        ("A / (n - 3)", "no value here"),
        ("divide_rows(0 * A)", "no value here"),
        ("0 * causal_mask(2)", "no number in row 1, column 2"),
        ("-causal_mask(2)", "no number in row 1, column 2"),
        ("softmax_rows(causal_mask(2, 0))", "no number in row 1"),
        ("causal_mask(2) @ causal_mask(2)", "no "),
        ("A * m", "'m' is not a parameter"),
        ("C + A", "'C' is not a parameter"),
        ("n + d", "a number where a matrix is needed"),
        ("[[1, 2], [3]]", "rows of one length"),
        ("[[1], 2]", "mixes rows and numbers"),
        ("[]", "1 to 8 rows"),
        ("[[]]", "1 to 8 rows"),
        ("T(n)", "something else than T takes"),
        ("T(A, A)", "something else than T takes"),
        ("T()", "something else than T takes"),
        ("padding_mask(3, 3)", "something else than padding_mask takes"),
        ("causal_mask(2.5)", "whole numbers"),
        ("causal_mask(A)", "something else than"),
        ("identity(0)", "at least one row"),
        ("exp(999 * A)", "no value here"),
    ],
)
def test_what_has_no_value_says_why(text, reason):
    with pytest.raises(ExpressionError, match=reason):
        value(text)


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os')",
        "A.T",
        "A.__class__",
        "A[0]",
        "(lambda: A)()",
        "[[x for x in A]]",
        "[[*A]]",
        "T(*[A])",
        "T(values=A)",
        "T(A)(A)",
        "print(A)",
        "A if n else A",
        "A or A",
        "A and A",
        "A < A",
        "not A",
        "~A",
        "f'{A}'",
        "'A'",
        "(A := A)",
        "[[A]]",
        "9 ** 9 ** 9 * A",
        "identity(9 ** 99)",
        "identity(9)",
        "causal_mask(10 ** 9)",
        "padding_mask(10 ** 9, [1])",
        "padding_mask(2, [1e300])",
        "[[1] * 10 ** 9]",
        "[" * 300,
        "-" * 150 + "A",
        "T(" * 90 + "A" + ")" * 89,
        "+".join(["A"] * 150),
        "[" + ",".join(["[1]"] * 9) + "]",
        "A\n@A",
        "A; A",
        "import os",
        "",
    ],
)
def test_hostile_texts_are_refused_at_once(text):
    began = time.process_time()

    with pytest.raises(ExpressionError):
        value(text)

    assert time.process_time() - began < 0.5  # a refusal takes a thousandth of that; the rest is for a busy machine
