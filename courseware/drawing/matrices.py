"""Small matrix arithmetic on tuples of floats: the site has no NumPy, and its pictures are of a few dozen numbers.

Pure. It knows nothing of attention's meaning, of HTML or of colours.
"""

import math
from collections.abc import Iterable, Sequence

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


def difference(left: Matrix, right: Matrix) -> Matrix:
    """Return left minus right, entry by entry.

    Errors:  ValueError if the shapes differ
    """
    if shape(left) != shape(right):
        raise ValueError(f"{shape(left)} and {shape(right)} have no difference: the shapes differ")
    pairs = (zip(one, other, strict=True) for one, other in zip(left, right, strict=True))
    return tuple(tuple(a - b for a, b in pair) for pair in pairs)


def softmax_rows(values: Matrix) -> Matrix:
    """Return the softmax of each row.

    Limits:  minus infinity gets exactly 0; a row of nothing else gets NaN throughout, as in NumPy
    """
    return tuple(_softmax(row) for row in values)


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
