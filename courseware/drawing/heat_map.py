"""A matrix as a picture and as a table of the same numbers, for eyes, screen readers and paper alike.

Pure. Colour comes from the classes of the style sheet and strength from `fill-opacity`, so that one drawing serves the
light and the dark theme.
"""

import math
from dataclasses import dataclass
from html import escape

from courseware.drawing.figures import figure, numbers, text
from courseware.drawing.matrices import Matrix, in_blocks, largest, row_sums, shape
from courseware.drawing.safe_html import SafeHtml

NUMBERS_UP_TO = 32  # rows or columns; a number in a smaller cell could not be read
CELLS_UP_TO = 64  # above, neighbouring cells are averaged
MATRIX_UP_TO = 128

_CELL, _GAP, _LEFT, _TOP = (44, 38), 2, 35, 27  # CSS pixels; a cell holds "−0.42" at 13 px
_SUM_WIDTH = 46


@dataclass(frozen=True)
class Axis:
    """What rows or columns are: the word for one of them, and the letter that stands beside the picture."""

    word: str  # "query"
    letter: str  # "q"


QUERIES = Axis("query", "q")
KEYS = Axis("key", "k")


def heat_map(
    values: Matrix,
    *,
    key: str,
    title: str,
    finding: str,
    rows: Axis = QUERIES,
    columns: Axis = KEYS,
    full_strength: float | None = None,
    is_difference: bool = False,
    shows_sums: bool = False,
) -> SafeHtml:
    """Return a figure: the picture, named and described, and below it the table of the same numbers.

    `key` is an id that no other figure on the page has. `finding` says in words what is to be seen. Two pictures
    share one scale if both are given the same `full_strength`; without it the largest value has full strength.

    Errors:  ValueError above 128 rows or columns, or if the title or the finding is empty
    """
    if max(shape(values)) > MATRIX_UP_TO:
        raise ValueError(f"at most {MATRIX_UP_TO} rows and columns are drawn, not {shape(values)}")
    drawing = _Drawing(rows, columns, full_strength or largest(values) or 1.0, is_difference, shows_sums)
    body, size = drawing.svg(values)
    if max(shape(values)) > CELLS_UP_TO:
        finding += " Each cell is the mean of a block of neighbouring numbers."
    below = numbers(drawing.table(values), title)
    return figure(body, size=size, key=key, title=title, finding=finding, below=below)


@dataclass(frozen=True)
class _Drawing:
    rows: Axis
    columns: Axis
    full_strength: float
    is_difference: bool
    shows_sums: bool

    def svg(self, values: Matrix) -> tuple[str, tuple[int, int]]:
        """Return the contents of the drawing, and its width and height."""
        shown = in_blocks(values, CELLS_UP_TO)
        height, width = shape(shown)
        is_numbered = max(height, width) <= NUMBERS_UP_TO
        step_x, step_y = (_CELL[0] + _GAP, _CELL[1] + _GAP) if is_numbered else (8, 8)
        parts = []
        if is_numbered:
            for column in range(width):
                x = _LEFT + column * step_x + _CELL[0] / 2
                parts.append(text(f"{self.columns.letter}{column + 1}", x=x, y=16, size=12.5, name="dim"))
            if self.shows_sums:
                parts.append(text("sum", x=_LEFT + width * step_x + _SUM_WIDTH / 2, y=16, size=12.5, name="dim"))
        for row, line in enumerate(shown):
            top = _TOP + row * step_y
            if is_numbered:
                name = f"{self.rows.letter}{row + 1}"
                parts.append(text(name, x=_LEFT - 11, y=top + 23.5, size=12.5, name="dim", anchor="end"))
            for column, value in enumerate(line):
                left = _LEFT + column * step_x
                parts.append(self._cell(value, left, top, (step_x - _GAP, step_y - _GAP)))
                if is_numbered:
                    parts.append(text(self._short(value), x=left + _CELL[0] / 2, y=top + 23.5, size=13))
            if self.shows_sums and is_numbered:
                x = _LEFT + width * step_x + _SUM_WIDTH / 2
                total = row_sums(shown)[row]
                name = "ok" if abs(total - 1) < 0.005 else "hot"
                parts.append(text(f"{number(total)}", x=x, y=top + 23.5, size=13, name=name))
        # Kept free where there are no sums: pictures side by side then have cells of one size.
        sums = _SUM_WIDTH if is_numbered else 0
        return "".join(parts), (_LEFT + width * step_x + sums, _TOP + height * step_y)

    def table(self, values: Matrix) -> str:
        """Return all numbers as a table, every row and column with its name."""
        row_word, column_word = escape(self.rows.word), escape(self.columns.word)
        heads = "".join(f'<th scope="col">{column_word} {at + 1}</th>' for at in range(shape(values)[1]))
        if self.shows_sums:
            heads += '<th scope="col">sum</th>'
        lines = []
        for at, row in enumerate(values):
            cells = "".join(f"<td>{number(value, is_signed=self.is_difference, in_words=True)}</td>" for value in row)
            if self.shows_sums:
                cells += f"<td>{number(row_sums((row,))[0], in_words=True)}</td>"
            lines.append(f'<tr><th scope="row">{row_word} {at + 1}</th>{cells}</tr>')
        return (
            f'<thead><tr><th scope="col" class="t">{row_word}</th>{heads}</tr></thead><tbody>{"".join(lines)}</tbody>'
        )

    def _cell(self, value: float, left: int, top: int, size: tuple[int, int]) -> str:
        box = f'x="{left}" y="{top}" width="{size[0]}" height="{size[1]}"'
        if not math.isfinite(value):
            return f'<rect class="g" {box}/>'
        # One hue, and a second for values above zero where both signs occur: the sign also stands in the number.
        name = "p" if self.is_difference and value > 0 else "c"
        strength = min(1.0, abs(value) / self.full_strength)
        return f'<rect class="{name}" {box} rx="2" fill-opacity="{strength:.2f}"/>'

    def _short(self, value: float) -> str:
        said = number(value, is_signed=self.is_difference)
        return said.replace("0.", ".", 1) if abs(value) < 0.995 else said


def number(value: float, *, is_signed: bool = False, in_words: bool = False) -> str:
    """Return a number with two decimals and a true minus sign; what is no number is said in words or by its sign."""
    if math.isnan(value):
        return "not a number" if in_words else "NaN"
    sign = "−" if value < 0 else "+" if is_signed else ""
    if math.isinf(value):
        words = "minus infinity" if value < 0 else "infinity"
        return words if in_words else f"{sign}∞"
    digits = f"{abs(value):.2f}"
    if digits == "0.00":
        return "0"
    return sign + digits.removesuffix(".00")
