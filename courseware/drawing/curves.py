"""Shares that change from group to group as curves, each with a marker and its name at its end. Pure.

Colour comes from the classes of the style sheet, and every curve has a shape and a dash of its own beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from courseware.drawing.figures import figure, text
from courseware.drawing.safe_html import SafeHtml

STYLES = 6  # as many as can be told apart; the first is for what is right

_WIDTH, _LEFT, _RIGHT, _TOP, _BOTTOM = 680, 44, 520, 18, 258  # CSS pixels; names stand right of the last group
_LABEL_GAP = 18  # between names, each 13.5 px high
_MARKERS = (
    "M{x} {y}m-5.5 0a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0-11 0z",
    "M{x} {y}m0-6l6 6-6 6-6-6z",
    "M{x} {y}m0-6l5.5 10h-11z",
    "M{x} {y}m-4-4h8v8h-8z",
    "M{x} {y}m0 6l5.5-10h-11z",
    "M{x} {y}m-6-2h12v4h-12z",
)


@dataclass(frozen=True)
class Curve:
    """One line: its name, its style from 0 to 5, and its share in each group."""

    name: str
    style: int
    shares: tuple[float, ...]


def curves(lines: Sequence[Curve], *, key: str, title: str, finding: str, ends: tuple[str, str]) -> SafeHtml:
    """Return a picture of shares by group; the table of the same numbers is for the page to give.

    `ends` are the names of the first and of the last group; `key` is an id that no other figure on the page has.
    """
    count = len(lines[0].shares)
    step = (_RIGHT - _LEFT) / (count - 1)
    parts = [_scale(percent) for percent in (0, 25, 50, 75, 100)]
    for at in range(count):
        word = ends[0] if at == 0 else ends[1] if at == count - 1 else str(at + 1)
        anchor = "start" if at == 0 else "middle"
        parts.append(text(word, x=_LEFT + at * step, y=_BOTTOM + 24, size=12.5, name="dim", anchor=anchor))
    names = dict(zip(lines, _spread([_height(line.shares[-1]) for line in lines]), strict=True))
    for line in sorted(lines, key=lambda each: -each.style):  # what is right is drawn last, over the others
        places = [(_LEFT + at * step, _height(share)) for at, share in enumerate(line.shares)]
        path = " ".join(f"{x:.1f} {y:.1f}" for x, y in places)
        parts.append(f'<path class="k{line.style + 1}" d="M{path}"/>')
        parts += [_marker(line.style, x, y) for x, y in places]
        parts.append(
            text(
                line.name,
                x=_RIGHT + 16,
                y=names[line] + 4.5,
                size=13.5,
                name="" if line.style else "key",
                anchor="start",
            )
        )
    size = (_WIDTH, _BOTTOM + 34)
    return figure("".join(parts), size=size, key=key, title=title, finding=finding, name="plot")


def marker(style: int) -> SafeHtml:
    """Return the marker of a style for the row of a table."""
    return SafeHtml(f'<svg class="ic" viewBox="0 0 18 18" aria-hidden="true">{_marker(style, 9, 9)}</svg>')


def _marker(style: int, x: float, y: float) -> str:
    return f'<path class="f{style + 1}" d="{_MARKERS[style].format(x=f"{x:.1f}", y=f"{y:.1f}")}"/>'


def _scale(percent: int) -> str:
    y = _height(percent / 100)
    line = f'<path class="{"ax" if percent == 0 else "g"}" d="M{_LEFT} {y:.1f}H{_RIGHT}"/>'
    return line + text(str(percent), x=_LEFT - 8, y=y + 4, size=12.5, name="dim", anchor="end")


def _height(share: float) -> float:
    return _BOTTOM - share * (_BOTTOM - _TOP)


def _spread(heights: Sequence[float]) -> list[float]:
    """Return the heights of names, moved apart so that none covers another."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    moved, lowest = list(heights), _BOTTOM + 6.0
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + _LABEL_GAP)
    for at in reversed(order):  # back up, where the last one went below the picture
        moved[at] = min(moved[at], lowest)
        lowest = moved[at] - _LABEL_GAP
    return moved
