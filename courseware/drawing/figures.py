"""What every drawing shares: its frame, which names and describes it, its texts, and the table below it.

Pure. Colour comes from the classes of the style sheet, so that one drawing serves both themes; there is no style
attribute, which the page's policy would refuse.
"""

from html import escape

from courseware.drawing.safe_html import SafeHtml

FONT_SIZE = 13.0  # CSS pixels


def figure(
    body: str,
    *,
    size: tuple[float, float],
    key: str,
    title: str,
    finding: str,
    below: str = "",
    name: str = "",
    has_links: bool = False,
) -> SafeHtml:
    """Return a figure with a drawing of this size; `finding` is what people read who do not see it.

    `key` is an id that no other figure on the page has; `name` is a class. A drawing with links is a group, since what
    lies within an image is not read out.

    Errors:  ValueError if the title or the finding is empty
    """
    if not title or not finding:
        raise ValueError("a picture has a title and says what is to be seen")
    key, width, height = escape(key), f"{size[0]:g}", f"{size[1]:g}"
    named = f' class="{name}"' if name else ""
    role = "group" if has_links else "img"
    return SafeHtml(
        f'<figure{named}><p class="lab">{escape(title)}</p>'
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="{role}" '
        f'aria-labelledby="{key}-title {key}-finding">'
        f'<title id="{key}-title">{escape(title)}</title><desc id="{key}-finding">{escape(finding)}</desc>'
        f"{body}</svg>{below}</figure>"
    )


def numbers(table: str, caption: str) -> str:
    """Return the inside of a table, folded away below its drawing and scrolling by itself."""
    return (
        f"<details><summary>The numbers</summary>"
        f'<div class="roll" tabindex="0" role="group" aria-label="Table: {escape(caption)}"><table class="data">'
        f'<caption class="sr">{escape(caption)}</caption>{table}</table></div></details>'
    )


def text(words: str, *, x: float, y: float, size: float = FONT_SIZE, name: str = "", anchor: str = "middle") -> str:
    """Return words in a drawing; `y` is their baseline."""
    named = f'class="{name}" ' if name else ""
    return f'<text {named}x="{x:g}" y="{y:g}" font-size="{size:g}" text-anchor="{anchor}">{escape(words)}</text>'
