"""Boxes on a grid, joined by arrows: flows, trees and who reads from whom.

Pure. Columns are as wide as their longest text, so that a drawing stays as narrow as its words allow. Looks differ by
shape and line, not by colour alone.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from courseware.drawing.figures import figure, text
from courseware.drawing.safe_html import SafeHtml

LOOKS = ("plain", "strong", "data", "sum")
SIDES = ("", "left", "right")
BOXES_UP_TO = 40
COLUMNS_UP_TO, ROWS_UP_TO = 9, 12

_CHARACTER, _LINE = 7.4, 17  # CSS pixels at a font size of 13
_PADDING, _GAP_X, _GAP_Y, _AROUND = 10, 26, 26, 26


@dataclass(frozen=True)
class Box:
    """A place in the drawing: its text, which may have several lines, and its column and row from 1."""

    id: str
    text: str
    column: int
    row: int
    look: str = "plain"
    url: str = ""  # where the box leads
    name: str = ""  # what is read out for a box that leads somewhere


@dataclass(frozen=True)
class Arrow:
    """From one box to another; `around` leads it past what lies between, on that side."""

    start: str
    end: str
    text: str = ""
    around: str = ""


def diagram(boxes: Sequence[Box], arrows: Sequence[Arrow], *, key: str, title: str, finding: str) -> SafeHtml:
    """Return a figure of boxes and arrows, named and described; `key` is an id that no other figure on the page has.

    Errors:  ValueError for two boxes with one id or in one place, places off the grid, arrows from or to no box, and a
             missing title or finding
    """
    _check(boxes, arrows)
    layout = _Layout(boxes, arrows)
    has_links = any(box.url for box in boxes)
    drawn = "".join(layout.arrow(arrow) for arrow in arrows) + "".join(layout.box(box) for box in boxes)
    return figure(drawn, size=layout.size, key=key, title=title, finding=finding, name="plot", has_links=has_links)


def _check(boxes: Sequence[Box], arrows: Sequence[Arrow]) -> None:
    if not 2 <= len(boxes) <= BOXES_UP_TO:
        raise ValueError(f"has {len(boxes)} boxes; a diagram has 2 to {BOXES_UP_TO}")
    ids = {box.id for box in boxes}
    if len(ids) < len(boxes) or len({(box.column, box.row) for box in boxes}) < len(boxes):
        raise ValueError("two boxes have one id, or one place")
    for box in boxes:
        if not (1 <= box.column <= COLUMNS_UP_TO and 1 <= box.row <= ROWS_UP_TO):
            raise ValueError(f"{box.id!r} lies off the grid of {COLUMNS_UP_TO} columns and {ROWS_UP_TO} rows")
        if box.look not in LOOKS:
            raise ValueError(f"{box.id!r} looks {box.look!r}; looks are {', '.join(LOOKS)}")
    for arrow in arrows:
        for end in (arrow.start, arrow.end):
            if end not in ids:
                raise ValueError(f"an arrow joins {end!r}, which is no box")
        if arrow.start == arrow.end:
            raise ValueError(f"an arrow leads from {arrow.start!r} to itself")
        if arrow.around not in SIDES:
            raise ValueError(f"an arrow leads around on the left or right, not {arrow.around!r}")


class _Layout:
    """Where each box lies."""

    def __init__(self, boxes: Sequence[Box], arrows: Sequence[Arrow]) -> None:
        self.boxes: Mapping[str, Box] = {box.id: box for box in boxes}
        led = [len(arrow.text) for arrow in arrows if arrow.around]
        around = _AROUND + max(led) * _CHARACTER if led else 4
        widths, heights = _largest(boxes, "column", _width), _largest(boxes, "row", _height)
        # Words on an arrow from column to column need room between the two.
        words = max((len(arrow.text) for arrow in arrows if not self._is_upright(arrow)), default=0)
        self.centre_x = _centres(widths, max(_GAP_X, words * _CHARACTER + 16), start=around)
        self.centre_y = _centres(heights, _GAP_Y, start=2)
        last_x, last_y = max(self.centre_x), max(self.centre_y)
        self.size = (
            round(self.centre_x[last_x] + widths[last_x] / 2 + around),
            round(self.centre_y[last_y] + heights[last_y] / 2 + 2),
        )

    def frame(self, box: Box) -> tuple[float, float, float, float]:
        """Return the middle of a box, half its width and half its height."""
        return self.centre_x[box.column], self.centre_y[box.row], _width(box) / 2, _height(box) / 2

    def box(self, box: Box) -> str:
        drawn = self._drawn(box)
        return f'<a href="{escape(box.url)}" aria-label="{escape(box.name)}">{drawn}</a>' if box.url else drawn

    def _drawn(self, box: Box) -> str:
        x, y, half_width, half_height = self.frame(box)
        lines = box.text.split("\n")
        first = y + 4.5 - (len(lines) - 1) * _LINE / 2
        words = "".join(text(line, x=round(x, 1), y=round(first + at * _LINE, 1)) for at, line in enumerate(lines))
        if box.look == "data":
            return words
        if box.look == "sum":
            return f'<circle class="box" cx="{x:.1f}" cy="{y:.1f}" r="{half_width:.1f}"/>{words}'
        corners = f'x="{x - half_width:.1f}" y="{y - half_height:.1f}"'
        size = f'width="{2 * half_width:.1f}" height="{2 * half_height:.1f}"'
        return f'<rect class="box{" strong" if box.look == "strong" else ""}" {corners} {size} rx="3"/>{words}'

    def arrow(self, arrow: Arrow) -> str:
        start, end = self.boxes[arrow.start], self.boxes[arrow.end]
        if arrow.around:
            return self._around(start, end, arrow)
        (x1, y1), (x2, y2) = self._edge(start, end), self._edge(end, start)
        words = ""
        if arrow.text and self._is_upright(arrow):
            words = text(arrow.text, x=round(max(x1, x2)) + 6, y=round((y1 + y2) / 2) + 4, anchor="start")
        elif arrow.text:
            words = text(arrow.text, x=round((x1 + x2) / 2), y=round((y1 + y2) / 2) - 6)
        return f'<path class="arrow" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>{_head(x1, y1, x2, y2)}{words}'

    def _is_upright(self, arrow: Arrow) -> bool:
        return self.boxes[arrow.start].column == self.boxes[arrow.end].column

    def _edge(self, box: Box, other: Box) -> tuple[float, float]:
        """Return where the line from the middle of a box to that of another leaves it."""
        x, y, half_width, half_height = self.frame(box)
        to_x, to_y, _, _ = self.frame(other)
        across, down = to_x - x, to_y - y
        shares = [
            half / abs(way) for half, way in ((half_width + 2, across), (half_height + 2, down)) if abs(way) > 1e-9
        ]
        share = min(shares)
        return x + across * share, y + down * share

    def _around(self, start: Box, end: Box, arrow: Arrow) -> str:
        sign = -1 if arrow.around == "left" else 1
        (x1, y1, half1, _), (x2, y2, half2, _) = self.frame(start), self.frame(end)
        between = [
            self.frame(box)
            for box in self.boxes.values()
            if min(start.row, end.row) <= box.row <= max(start.row, end.row)
            and min(start.column, end.column) <= box.column <= max(start.column, end.column)
        ]
        out = max(sign * x + half for x, _, half, _ in between) + _AROUND - 8
        from_x, to_x = x1 + sign * (half1 + 2), x2 + sign * (half2 + 2)
        words = text(arrow.text, x=sign * (out + 5), y=(y1 + y2) / 2, anchor="start" if sign > 0 else "end")
        return (
            f'<path class="arrow" d="M{from_x:.1f} {y1:.1f}H{sign * out:.1f}V{y2:.1f}H{to_x:.1f}"/>'
            f"{_head(sign * out, y2, to_x, y2)}{words if arrow.text else ''}"
        )


def _largest(boxes: Sequence[Box], axis: str, size: Callable[[Box], float]) -> dict[int, float]:
    found: dict[int, float] = {}
    for box in boxes:
        at = getattr(box, axis)
        found[at] = max(found.get(at, 0.0), size(box))
    return found


def _centres(sizes: Mapping[int, float], gap: float, *, start: float) -> dict[int, float]:
    """Return the middle of each column or row; one without a box takes no room."""
    centres, at = {}, start
    for index in sorted(sizes):
        centres[index] = at + sizes[index] / 2
        at += sizes[index] + gap
    return centres


def _width(box: Box) -> float:
    if box.look == "sum":
        return 26
    return max(len(line) for line in box.text.split("\n")) * _CHARACTER + (4 if box.look == "data" else 2 * _PADDING)


def _height(box: Box) -> float:
    return 26 if box.look == "sum" else (box.text.count("\n") + 1) * _LINE + (4 if box.look == "data" else 14)


def _head(x1: float, y1: float, x2: float, y2: float) -> str:
    length = max(((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5, 1e-9)
    along_x, along_y = (x2 - x1) / length * 8, (y2 - y1) / length * 8
    side_x, side_y = -along_y * 0.45, along_x * 0.45
    return (
        f'<path class="head" d="M{x2:.1f} {y2:.1f}L{x2 - along_x + side_x:.1f} {y2 - along_y + side_y:.1f}'
        f'L{x2 - along_x - side_x:.1f} {y2 - along_y - side_y:.1f}z"/>'
    )
