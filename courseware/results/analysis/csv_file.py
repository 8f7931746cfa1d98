"""The figures of a test's questions as CSV: a cell is empty where a statistic is not defined, never 0."""

import csv
from collections.abc import Iterator
from typing import Any

from courseware.results.analysis.flags import flags_of
from courseware.results.analysis.report import Analysis, ItemLine
from courseware.results.csv_export import BYTE_ORDER_MARK, Echo, harmless

_HEAD = (
    "Question", "Version", "Learners", "Left open", "Facility", "Interval from", "Interval to",
    "Item-rest correlation", "Upper/lower 27 %", "Item-total correlation", "Efficiency", "Alpha without it",
    "Intended weight", "Effective weight", "Flags",
)  # fmt: skip


def lines(analysis: Analysis | None) -> Iterator[str]:
    """Yield the lines of the file, one for each version of a question."""
    writer: Any = csv.writer(Echo())
    yield BYTE_ORDER_MARK + writer.writerow(_HEAD)
    for item in analysis.items if analysis else ():
        yield writer.writerow(_cells(item))


def _cells(item: ItemLine) -> list[str]:
    values = (item.item_rest, item.upper_lower, item.item_total, item.efficiency, item.alpha_without)
    interval = item.interval or (None, None)
    return [
        harmless(item.question),
        item.version[:8],
        str(item.seen),
        str(item.omitted),
        _number(item.facility),
        *map(_number, interval),
        *(_number(None if value is None else value.number) for value in values),
        _number(item.intended_weight),
        _number(None if item.effective_weight is None else item.effective_weight.number),
        harmless("; ".join(f"{flag.name}: {flag.reason}" for flag in flags_of(item))),
    ]


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
