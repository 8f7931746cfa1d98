"""Small matrix arithmetic on tuples of floats: the site has no NumPy, and its pictures are of a few dozen numbers.

Pure. It knows nothing of attention's meaning, of HTML or of colours.
"""

import math
import operator
from collections.abc import Callable, Collection, Iterable, Sequence

Matrix = tuple[tuple[float, ...], ...]


def matrix(rows: Iterable[Iterable[float]]) -> Matrix:
    """Return rows as a matrix.

    Errors:  ValueError if there is no number, or if rows differ in length
    """
    result = tuple(tuple(float(value) for value in row) for row in rows)
    if not result or not result[0]:
        raise ValueError("a matrix has at least one row and one column")
    if len({len(row) for row in result}) != 1:
        raise ValueError(f"all rows of a matrix have one length, not {sorted({len(row) for row in result})}")
    return result


def shape(values: Matrix) -> tuple[int, int]:
    """Return how many rows and columns there are."""
    return len(values), len(values[0])


def transpose(values: Matrix) -> Matrix:
    return tuple(zip(*values, strict=True))


def multiply(left: Matrix, right: Matrix) -> Matrix:
    """Return the matrix product.

    Shapes:  left [n, m]; right [m, p]; result [n, p]
    Errors:  ValueError if the inner sizes differ
    """
    if shape(left)[1] != shape(right)[0]:
        raise ValueError(f"{shape(left)} and {shape(right)} have no product: the inner sizes differ")
    columns = transpose(right)
    return tuple(
        tuple(math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns) for row in left
    )


def scaled(values: Matrix, factor: float) -> Matrix:
    return tuple(tuple(value * factor for value in row) for row in values)


def entrywise(operation: Callable[[float, float], float], left: Matrix, right: Matrix) -> Matrix:
    """Return the results of an operation on entries that stand at the same place.

    Errors:  ValueError if the shapes differ
    """
    if shape(left) != shape(right):
        raise ValueError(f"{shape(left)} and {shape(right)} have no entries in common: the shapes differ")
    return tuple(
        tuple(operation(a, b) for a, b in zip(one, other, strict=True)) for one, other in zip(left, right, strict=True)
    )


def difference(left: Matrix, right: Matrix) -> Matrix:
    """Return left minus right, entry by entry.

    Errors:  ValueError if the shapes differ
    """
    if shape(left) != shape(right):
        raise ValueError(f"{shape(left)} and {shape(right)} have no difference: the shapes differ")
    return entrywise(operator.sub, left, right)


def softmax_rows(values: Matrix) -> Matrix:
    """Return the softmax of each row.

    Limits:  minus infinity gets exactly 0; a row of nothing else gets NaN throughout, as in NumPy
    """
    return tuple(_softmax(row) for row in values)


def softmax_columns(values: Matrix) -> Matrix:
    """Return the softmax of each column; of minus infinity as in a row."""
    return transpose(softmax_rows(transpose(values)))


def divided_by_row_sums(values: Matrix) -> Matrix:
    """Return each row divided by its sum.

    Errors:  ZeroDivisionError if a row adds up to 0
    """
    return tuple(tuple(value / total for value in row) for row, total in zip(values, row_sums(values), strict=True))


def identity(size: int) -> Matrix:
    """Return the square matrix with 1 on its diagonal."""
    return tuple(tuple(float(row == column) for column in range(size)) for row in range(size))


def causal_mask(size: int, *, first_blocked: int = 1) -> Matrix:
    """Return 0 where a query may see a key, and minus infinity from `first_blocked` places after the query on.

    Units:   0 blocks the query's own place too, 1 blocks what comes later
    """
    return tuple(
        tuple(-math.inf if column - row >= first_blocked else 0.0 for column in range(size)) for row in range(size)
    )


def padding_mask(rows: int, columns: int, blocked: Collection[int]) -> Matrix:
    """Return 0, and minus infinity in the blocked columns, which are counted from 1."""
    row = tuple(-math.inf if column in blocked else 0.0 for column in range(1, columns + 1))
    return (row,) * rows


def kept_where_open(values: Matrix, mask: Matrix) -> Matrix:
    """Return the values with 0 in place of those that a mask blocks.

    Errors:  ValueError if the shapes differ
    """
    return entrywise(lambda value, blocked: 0.0 if blocked else value, values, mask)


def row_sums(values: Matrix) -> tuple[float, ...]:
    return tuple(math.fsum(row) if all(map(math.isfinite, row)) else sum(row) for row in values)


def largest(values: Matrix) -> float:
    """Return the largest absolute value among the finite ones; 0 if none is finite."""
    return max((abs(value) for row in values for value in row if math.isfinite(value)), default=0.0)


def in_blocks(values: Matrix, limit: int) -> Matrix:
    """Return a matrix of at most limit rows and columns, each entry the mean of the block that it stands for."""
    rows, columns = shape(values)
    tall, wide = math.ceil(rows / limit), math.ceil(columns / limit)
    if tall == wide == 1:
        return values
    return tuple(
        tuple(_mean([row[left : left + wide] for row in values[top : top + tall]]) for left in range(0, columns, wide))
        for top in range(0, rows, tall)
    )


def _softmax(row: Sequence[float]) -> tuple[float, ...]:
    peak = max(row)
    if peak == -math.inf or any(math.isnan(value) for value in row):
        return (math.nan,) * len(row)
    powers = [math.exp(value - peak) for value in row]
    total = math.fsum(powers)
    return tuple(power / total for power in powers)


def _mean(block: Sequence[Sequence[float]]) -> float:
    flat = [value for row in block for value in row]
    return sum(flat) / len(flat)
