"""Counts as bars, such as a histogram, with a table of the same numbers. Pure."""

from collections.abc import Sequence
from html import escape

from courseware.drawing.safe_html import SafeHtml

_WIDTH, _TOP, _BOTTOM = 560, 24, 164  # CSS pixels
_LABELS_UP_TO = 14  # bars; of more, every second one is named


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
    every = 1 if len(counts) <= _LABELS_UP_TO else 2
    parts = [f'<path class="ax" d="M0 {_BOTTOM}H{_WIDTH}"/>']
    for at, (count, name) in enumerate(zip(counts, names, strict=True)):
        middle, height = (at + 0.5) * step, (_BOTTOM - _TOP) * count / largest
        if count:
            parts.append(
                f'<rect class="c" x="{at * step + 2:.1f}" y="{_BOTTOM - height:.1f}" width="{step - 4:.1f}" '
                f'height="{height:.1f}"/>'
                f'<text x="{middle:.1f}" y="{_BOTTOM - height - 6:.1f}" font-size="12.5" '
                f'text-anchor="middle">{count}</text>'
            )
        if at % every == 0:
            parts.append(
                f'<text class="dim" x="{middle:.1f}" y="{_BOTTOM + 18}" font-size="12" '
                f'text-anchor="middle">{escape(name)}</text>'
            )
    rows = "".join(
        f'<tr><th scope="row" class="t">{escape(name)}</th><td>{count}</td></tr>'
        for count, name in zip(counts, names, strict=True)
    )
    name = escape(key)
    return SafeHtml(
        f'<figure class="plot"><svg viewBox="0 0 {_WIDTH} {_BOTTOM + 26}" role="img" '
        f'aria-labelledby="{name}-title {name}-finding"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-finding">{escape(finding)}</desc>{"".join(parts)}</svg>'
        f'<details class="ui"><summary>The numbers</summary><div class="roll" tabindex="0" role="group" '
        f'aria-label="Table: {escape(title)}"><table class="data"><caption class="sr">{escape(title)}</caption>'
        f'<thead><tr><th scope="col" class="t">{escape(heads[0])}</th><th scope="col">{escape(heads[1])}</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></div></details></figure>"
    )
