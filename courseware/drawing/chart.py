"""Lines over an axis, as a picture and as a table of the same numbers.

Pure. Lines differ by dashes and markers as well as by colour, and the key names them above the drawing, so that the
picture survives grey paper and a narrow screen.
"""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from courseware.drawing.figures import figure, numbers, text
from courseware.drawing.safe_html import SafeHtml

LINES_UP_TO = 4  # dashes and colours that can be told apart
POINTS_UP_TO = 200  # more is finer than the drawing, and its table would not be read
MARKED_UP_TO = 12  # points that are few are measurements, and each gets its marker

_WIDTH, _PLOT_HEIGHT = 360, 190  # CSS pixels: a phone shows the drawing at full size
_RIGHT, _BOTTOM, _KEY_LINE = 22, 40, 20
_DIGIT = 7.2  # of a number on an axis, at most
_DASHES = ("", "7 4", "2 3", "9 3 2 3")


@dataclass(frozen=True)
class Scale:
    """One axis: what it measures, and whether equal steps are equal factors."""

    label: str
    is_logarithmic: bool = False


@dataclass(frozen=True)
class Line:
    """One line: its name and a value for each place on the horizontal axis."""

    label: str
    values: Sequence[float]


def chart(
    xs: Sequence[float], lines: Sequence[Line], *, x: Scale, y: Scale, key: str, title: str, finding: str
) -> SafeHtml:
    """Return a figure: the lines, named and described, and below them the table of the same numbers.

    `key` is an id that no other figure on the page has. `finding` says in words what is to be seen.

    Errors:  ValueError for lines without a value at each place, places out of order, too many lines or points, values
             that are not finite or that a logarithmic axis cannot show, and a missing title or finding
    """
    _check(xs, lines, x, y)
    values = [value for line in lines for value in line.values]
    top = 8 + _KEY_LINE * len(lines)
    low, high = min(values), max(values)
    if not y.is_logarithmic:
        ticks = _even(min(low, 0.0), high if high > min(low, 0.0) else 1.0)
        low, high = min(low, ticks[0]), max(high, ticks[-1])
    up = _Axis(y, low, high, top + _PLOT_HEIGHT, top)
    left = 12 + _DIGIT * max(len(short(tick)) for tick in up.ticks())
    across = _Axis(x, min(xs), max(xs), round(left), _WIDTH - _RIGHT)
    height = top + _PLOT_HEIGHT + _BOTTOM
    parts = [_grid(across, up, xs)]
    parts += [_line(at, line, xs, across, up) for at, line in enumerate(lines)]
    below = numbers(_table(xs, lines, x), title)
    size = (_WIDTH, height)
    return figure("".join(parts), size=size, key=key, title=title, finding=finding, below=below, name="plot")


def _check(xs: Sequence[float], lines: Sequence[Line], x: Scale, y: Scale) -> None:
    if not 1 <= len(lines) <= LINES_UP_TO:
        raise ValueError(f"has {len(lines)} lines; a chart has 1 to {LINES_UP_TO}")
    if not 2 <= len(xs) <= POINTS_UP_TO or any(after <= before for before, after in itertools.pairwise(xs)):
        raise ValueError(f"the places on the horizontal axis are 2 to {POINTS_UP_TO} numbers in ascending order")
    for line in lines:
        if len(line.values) != len(xs):
            raise ValueError(f"{line.label!r} has {len(line.values)} values for {len(xs)} places")
    for scale, values in ((x, xs), (y, [value for line in lines for value in line.values])):
        if not all(math.isfinite(value) for value in values):
            raise ValueError(f"{scale.label!r} has a value that is not finite")
        if scale.is_logarithmic and min(values) <= 0:
            raise ValueError(f"{scale.label!r} is logarithmic and has a value that is not above 0")


@dataclass(frozen=True)
class _Axis:
    """Places values between two edges of the drawing."""

    scale: Scale
    low: float
    high: float
    start: float
    end: float

    def place(self, value: float) -> float:
        low, high, value = (
            (math.log10(each) if self.scale.is_logarithmic else each) for each in (self.low, self.high, value)
        )
        share = (value - low) / (high - low) if high > low else 0.5
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        if not self.scale.is_logarithmic:
            return [tick for tick in _even(self.low, self.high) if self.low <= tick <= self.high]
        exponents = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
        every = max(1, math.ceil(len(exponents) / 5))
        tens = [10.0**exponent for exponent in exponents[::every]]
        return tens if len(tens) > 1 else [self.low, self.high]


def _even(low: float, high: float) -> list[float]:
    """Return four to eight ticks with steps of 1, 2 or 5 times a power of ten, the last at or above `high`."""
    rough = (high - low) / 5
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [at * step for at in range(first, last + 1)]


def _grid(across: _Axis, up: _Axis, xs: Sequence[float]) -> str:
    parts = []
    for value in up.ticks():
        y = up.place(value)
        parts.append(f'<path class="g" d="M{across.start:.1f} {y:.1f}H{across.end:.1f}"/>')
        parts.append(text(short(value), x=across.start - 7, y=round(y, 1) + 4.5, name="dim", anchor="end"))
    # Places that are few are named themselves, as many of them as have room for their numbers.
    ticks = xs[:: math.ceil(len(xs) / 5)] if len(xs) <= MARKED_UP_TO else across.ticks()
    for value in ticks:
        parts.append(text(short(value), x=round(across.place(value), 1), y=up.start + 18, name="dim"))
    parts.append(f'<path class="axis" d="M{across.start} {up.end}V{up.start}H{across.end}"/>')
    label = f"{up.scale.label}, over {across.scale.label}"
    parts.append(text(label, x=(across.start + across.end) / 2, y=up.start + 35, name="dim"))
    return "".join(parts)


def _line(at: int, line: Line, xs: Sequence[float], across: _Axis, up: _Axis) -> str:
    points = [(across.place(x), up.place(value)) for x, value in zip(xs, line.values, strict=True)]
    dashes = f' stroke-dasharray="{_DASHES[at]}"' if _DASHES[at] else ""
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    key_y = 12 + at * _KEY_LINE
    parts = [
        f'<path class="curve l{at + 1}" d="M{path}"{dashes}/>',
        f'<path class="curve l{at + 1}" d="M{across.start} {key_y}h34"{dashes}/>',
        text(line.label, x=across.start + 42, y=key_y + 4.5, anchor="start"),
    ]
    if len(points) <= MARKED_UP_TO:
        parts += [f'<circle class="dot l{at + 1}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points]
    return "".join(parts)


def _table(xs: Sequence[float], lines: Sequence[Line], x: Scale) -> str:
    heads = "".join(f'<th scope="col">{escape(line.label)}</th>' for line in lines)
    rows = "".join(
        f'<tr><th scope="row">{short(place)}</th>{"".join(f"<td>{short(line.values[at])}</td>" for line in lines)}</tr>'
        for at, place in enumerate(xs)
    )
    return f'<thead><tr><th scope="col" class="t">{escape(x.label)}</th>{heads}</tr></thead><tbody>{rows}</tbody>'


def short(value: float) -> str:
    """Return a number as an axis has room for it: thousands parted, from a million on in words, four digits at most."""
    for size, word in ((1e12, " trillion"), (1e9, " billion"), (1e6, " million")):
        if abs(value) >= size:
            return f"{value / size:.4g}{word}".replace("-", "−")
    digits = f"{value:,.0f}" if abs(value) >= 1000 or value == int(value) else f"{value:.4g}"
    return digits.replace("-", "−")
