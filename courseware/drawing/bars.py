"""Counts as bars, such as a histogram, with a table of the same numbers. Pure."""

from collections.abc import Sequence
from html import escape
from math import ceil

from courseware.drawing.figures import figure, numbers, text
from courseware.drawing.safe_html import SafeHtml

_WIDTH, _TOP, _BOTTOM = 560, 24, 164  # CSS pixels
_WIDEST = 72  # of a bar: a single one shall not look like a wall
_LETTER = 8.9  # an average one at the size that names have in a narrow figure, where they are drawn larger


def bars(
    counts: Sequence[int], names: Sequence[str], *, key: str, title: str, finding: str, heads: tuple[str, str]
) -> SafeHtml:
    """Return a figure: a bar for each count, named below, and the table of the same numbers.

    `heads` name the two columns of the table; `key` is an id that no other figure on the page has.

    Errors:  ValueError without a bar, or if there is not one name for each
    """
    if not counts or len(counts) != len(names):
        raise ValueError(f"{len(counts)} bars have {len(names)} names; each bar has one")
    step, largest = _WIDTH / len(counts), max(counts) or 1
    every = ceil((_LETTER * max(map(len, names)) + 2) / step)  # so that no two names touch
    width = min(step - 4, _WIDEST)
    parts = [f'<path class="ax" d="M0 {_BOTTOM}H{_WIDTH}"/>']
    for at, (count, name) in enumerate(zip(counts, names, strict=True)):
        middle, height = (at + 0.5) * step, (_BOTTOM - _TOP) * count / largest
        if count:
            parts.append(
                f'<rect class="c" x="{middle - width / 2:.1f}" y="{_BOTTOM - height:.1f}" width="{width:.1f}" '
                f'height="{height:.1f}"/>'
            )
            parts.append(text(str(count), x=middle, y=_BOTTOM - height - 6, size=12.5))
        if at % every == 0:
            parts.append(text(name, x=middle, y=_BOTTOM + 18, size=12, name="dim"))
    rows = "".join(
        f'<tr><th scope="row" class="t">{escape(name)}</th><td>{count}</td></tr>'
        for count, name in zip(counts, names, strict=True)
    )
    head = f'<th scope="col" class="t">{escape(heads[0])}</th><th scope="col">{escape(heads[1])}</th>'
    table = numbers(f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody>", title)
    size = (_WIDTH, _BOTTOM + 26)
    return figure("".join(parts), size=size, key=key, title=title, finding=finding, below=table, name="plot counts")
