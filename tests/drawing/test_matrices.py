"""Small matrix arithmetic gives what NumPy would, on tuples."""

import math

import pytest

from courseware.drawing.matrices import (
    causal_mask,
    difference,
    divided_by_row_sums,
    entrywise,
    identity,
    in_blocks,
    kept_where_open,
    largest,
    matrix,
    multiply,
    padding_mask,
    row_sums,
    scaled,
    softmax_columns,
    softmax_rows,
    transpose,
)


def test_attention_of_one_query_by_hand():
    query, keys, values = matrix([[1, 2]]), matrix([[1, 0], [0, 1], [1, 1]]), matrix([[1, 0], [0, 1], [2, 2]])

    weights = softmax_rows(scaled(multiply(query, transpose(keys)), 1 / math.sqrt(2)))
    output = multiply(weights, values)

    assert [round(weight, 4) for weight in weights[0]] == [0.1400, 0.2840, 0.5760]
    assert [round(entry, 4) for entry in output[0]] == [1.2920, 1.4359]


def test_softmax_gives_a_masked_key_nothing_and_survives_large_scores():
    assert softmax_rows(matrix([[1000, 1000, -math.inf]])) == ((0.5, 0.5, 0.0),)


def test_softmax_of_a_row_that_is_masked_throughout_is_no_number():
    assert all(math.isnan(weight) for weight in softmax_rows(matrix([[-math.inf, -math.inf]]))[0])


@pytest.mark.parametrize("rows", [[], [[]], [[1, 2], [3]]])
def test_what_is_no_matrix_is_refused(rows):
    with pytest.raises(ValueError, match="matrix"):
        matrix(rows)


def test_shapes_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="no product"):
        multiply(matrix([[1, 2]]), matrix([[1, 2]]))
    with pytest.raises(ValueError, match="no difference"):
        difference(matrix([[1, 2]]), matrix([[1]]))


def test_difference_and_sums():
    assert difference(matrix([[1, 2]]), matrix([[3, 1]])) == ((-2, 1),)
    assert row_sums(matrix([[0.1] * 10, [math.inf] + [1.0] * 9])) == (1.0, math.inf)


def test_largest_looks_at_finite_numbers():
    assert largest(matrix([[-3, 2, math.inf, math.nan]])) == 3
    assert largest(matrix([[math.nan]])) == 0


def test_blocks_are_means():
    assert in_blocks(matrix([[1, 3, 5], [1, 3, 7]]), 2) == ((2, 5), (2, 7))
    assert in_blocks(matrix([[1, 3]]), 2) == ((1, 3),)


def test_each_column_of_a_softmax_over_columns_adds_up_to_one():
    softened = softmax_columns(matrix([[1, 0], [1, 0], [1, -math.inf]]))

    assert [round(math.fsum(column), 12) for column in zip(*softened, strict=True)] == [1, 1]
    assert [row[1] for row in softened] == [0.5, 0.5, 0]


def test_masks_block_with_minus_infinity():
    assert causal_mask(2) == ((0, -math.inf), (0, 0))
    assert causal_mask(2, first_blocked=0) == ((-math.inf, -math.inf), (0, -math.inf))
    assert padding_mask(1, 3, {3}) == ((0, 0, -math.inf),)
    assert kept_where_open(matrix([[1, 2], [3, 4]]), causal_mask(2)) == ((1, 0), (3, 4))


def test_rows_are_divided_by_their_sums_and_an_empty_row_by_nothing():
    assert divided_by_row_sums(matrix([[1, 3], [2, 2]])) == ((0.25, 0.75), (0.5, 0.5))
    with pytest.raises(ZeroDivisionError):
        divided_by_row_sums(matrix([[1, -1]]))


def test_entries_meet_those_at_the_same_place():
    assert entrywise(lambda a, b: a * b, matrix([[1, 2]]), matrix([[3, 4]])) == ((3, 8),)
    assert multiply(identity(2), matrix([[1, 2], [3, 4]])) == ((1, 2), (3, 4))
    with pytest.raises(ValueError, match="shapes differ"):
        entrywise(max, matrix([[1, 2]]), matrix([[1]]))
