"""The weights of a program beside the reference's, drawn with one scale, each picture with its finding in words."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from courseware.drawing.heat_map import heat_map
from courseware.drawing.matrices import Matrix, difference, largest, matrix, row_sums, shape, transpose
from courseware.drawing.safe_html import SafeHtml

NEARLY_ONE = 0.005  # half of the last decimal that a picture prints


@dataclass(frozen=True)
class WeightPictures:
    """The learner's weights, the reference's and, where they differ, the first minus the second."""

    lead: str
    figures: tuple[SafeHtml, ...]


def weight_pictures(weights: dict[str, Any] | None) -> WeightPictures | None:
    """Return the pictures of a verdict's weights, None if it has none."""
    if not weights:
        return None
    theirs, reference = _matrix(weights["theirs"]), _matrix(weights["reference"])
    scale = max(largest(theirs), largest(reference))
    figures = [
        heat_map(theirs, key="theirs", title="Yours", finding=_sums(theirs), full_strength=scale, shows_sums=True),
        heat_map(
            reference,
            key="reference",
            title="Reference",
            finding=_sums(reference),
            full_strength=scale,
            shows_sums=True,
        ),
    ]
    queries, keys = shape(reference)
    lead = f"Weights for {queries} queries and {keys} keys, both drawn to one scale. Yours: {_sums(theirs)}"
    if shape(theirs) == shape(reference):
        gap = difference(theirs, reference)
        words = _largest_gap(gap)
        lead += f" {words}"
        if largest(gap) >= NEARLY_ONE:
            title = "Difference, yours minus reference"
            figures.append(heat_map(gap, key="difference", title=title, finding=words, is_difference=True))
    return WeightPictures(lead, tuple(figures))


def _matrix(rows: Sequence[Sequence[float | None]]) -> Matrix:
    return matrix([math.nan if cell is None else cell for cell in row] for row in rows)


def _sums(weights: Matrix) -> str:
    """Say along which axis a matrix of weights adds up to 1."""
    if _all_one(row_sums(weights)):
        return "every row adds up to 1."
    if _all_one(row_sums(transpose(weights))):
        return "columns add up to 1, rows do not."
    finite = [total for total in row_sums(weights) if math.isfinite(total)]
    if not finite:
        return "no row is finite."
    return f"rows add up to {min(finite):.2f} up to {max(finite):.2f} instead of 1."


def _all_one(totals: Sequence[float]) -> bool:
    return all(abs(total - 1) < NEARLY_ONE for total in totals)


def _largest_gap(gap: Matrix) -> str:
    size = largest(gap)
    if size < NEARLY_ONE:
        return "They do not differ."
    for query, row in enumerate(gap, start=1):
        for key, value in enumerate(row, start=1):
            if abs(value) == size:
                amount = f"{size:.2f} {'more' if value > 0 else 'less'} than the reference"
                return f"The largest difference is at query {query} and key {key}: {amount}."
    return "Some numbers are not finite."
