"""The pictures of a card, drawn from its front matter: a sentence with its weights, and pictures that close a section.

Pure. It reads what an author wrote and reports what cannot be drawn; how a picture looks is the drawing's own.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from html import escape

from courseware.concepts.sources import Fields, YamlList
from courseware.drawing.chart import Line, Scale, chart
from courseware.drawing.diagram import Arrow, Box, diagram
from courseware.drawing.heat_map import Axis, heat_map
from courseware.drawing.matrices import Matrix, matrix
from courseware.drawing.safe_html import SafeHtml
from courseware.drawing.words import weights_over_words

_MARKUP = re.compile(r"[$`*]")
_WHY_PLAIN = "is shown as it is written, so it holds no formula, no backtick and no asterisk"


def weights_picture(fields: Fields) -> SafeHtml:
    """Return the sentence of `weights_example` with its weights; an empty text where the card has none."""
    example = fields.fields("weights_example", required=False)
    if example is None:
        return SafeHtml()
    words, weights = example.texts("words"), example.numbers("weights")
    asks, title, caption = example.integer("asks", minimum=1), _plain(example, "title"), _plain(example, "caption")
    example.refuse_unknown()
    if any(_MARKUP.search(word) for word in words):
        example.fault("words", _WHY_PLAIN)
    try:
        return weights_over_words(words, weights, asks=asks - 1, title=title, caption=caption)
    except ValueError as error:
        example.fault("weights", str(error))
        return SafeHtml()


def section_pictures(fields: Fields, sections: Sequence[str]) -> Mapping[str, SafeHtml]:
    """Return the matrices, charts and diagrams of a card by the section that they close, in the order written."""
    drawn: dict[str, str] = {}
    for kind, name, draw in _KINDS:
        for number, example in enumerate(_examples(fields, name), start=1):
            section, caption = example.text("section"), _plain(example, "caption")
            # The concept's id too, since all cards can stand on one page.
            body = draw(example, f"{fields.mapping.get('id')}-{section}-{kind}-{number}")
            example.refuse_unknown()
            if section and section not in sections:
                example.fault("section", f"{section!r} is no section of this card")
            figure = f'<figure class="gap1">{body}<figcaption>{escape(caption)}</figcaption></figure>'
            drawn[section] = drawn.get(section, "") + figure
    return {section: SafeHtml(html) for section, html in drawn.items()}


def _plain(fields: Fields, name: str, *, required: bool = True) -> str:
    """Return a text of a picture, in which markup would be seen and read aloud as it is written."""
    text = fields.text(name, required=required)
    if _MARKUP.search(text):
        fields.fault(name, _WHY_PLAIN)
    return text


def _examples(fields: Fields, name: str) -> list[Fields]:
    """Return a reader for each entry of a list, or for the one mapping that stands in its place."""
    if isinstance(fields.mapping.get(name), list):
        return fields.each(name)
    return [each for each in [fields.fields(name, required=False)] if each]


def _matrices(example: Fields, key: str) -> str:
    rows, columns = _axis(example, "rows"), _axis(example, "columns")
    readers = example.each("matrices")
    if example.mapping.get("matrices") == []:
        example.fault("matrices", "holds no matrix")
    drawn = (_figure(reader, f"{key}.{number}", rows, columns) for number, reader in enumerate(readers, start=1))
    return f'<div class="maps">{"".join(drawn)}</div>'


def _chart(example: Fields, key: str) -> str:
    title, finding = _plain(example, "title"), _plain(example, "finding")
    x, y = example.fields("x"), example.fields("y")
    if x is None or y is None:
        return ""
    xs = x.numbers("values")
    lines = []
    for reader in example.each("lines"):
        lines.append(Line(_plain(reader, "label"), reader.numbers("values")))
        reader.refuse_unknown()
    scales = [Scale(_plain(reader, "label"), is_logarithmic=reader.flag("log")) for reader in (x, y)]
    x.refuse_unknown()
    y.refuse_unknown()
    try:
        return chart(xs, lines, x=scales[0], y=scales[1], key=key, title=title, finding=finding)
    except ValueError as error:
        example.fault("lines", str(error))
        return ""


def _diagram(example: Fields, key: str) -> str:
    title, finding = _plain(example, "title"), _plain(example, "finding")
    boxes = []
    for reader in example.each("boxes"):
        at = reader.numbers("at")
        if len(at) != 2 or not all(type(place) is int for place in at):
            reader.fault("at", "is a column and a row, such as [1, 2]")
            at = (1, 1)
        look = reader.text("look", required=False) or "plain"
        boxes.append(Box(reader.text("id"), _plain(reader, "text"), int(at[0]), int(at[1]), look))
        reader.refuse_unknown()
    arrows = []
    for reader in example.each("arrows"):
        words, around = _plain(reader, "text", required=False), reader.text("around", required=False)
        arrows.append(Arrow(reader.text("from"), reader.text("to"), words, around))
        reader.refuse_unknown()
    try:
        return diagram(boxes, arrows, key=key, title=title, finding=finding)
    except ValueError as error:
        example.fault("boxes", str(error))
        return ""


_KINDS: tuple[tuple[str, str, Callable[[Fields, str], str]], ...] = (
    ("matrix", "matrix_example", _matrices),
    ("chart", "charts", _chart),
    ("diagram", "diagrams", _diagram),
)


def _axis(example: Fields, name: str) -> Axis:
    reader = example.fields(name)
    if reader is None:
        return Axis("", "")
    axis = Axis(_plain(reader, "word"), _plain(reader, "letter"))
    reader.refuse_unknown()
    return axis


def _figure(reader: Fields, key: str, rows: Axis, columns: Axis) -> str:
    title, finding, shows_sums = _plain(reader, "title"), _plain(reader, "finding"), reader.flag("sums")
    values = reader.entries("values")
    reader.refuse_unknown()
    if not title or not finding or not values:  # reported already
        return ""
    try:
        return heat_map(
            _matrix(values), key=key, title=title, finding=finding, rows=rows, columns=columns, shows_sums=shows_sums
        )
    except ValueError as error:
        reader.fault("values", str(error))
        return ""


def _matrix(rows: YamlList) -> Matrix:
    if any(not isinstance(row, list) for row in rows):
        raise ValueError("are lists of numbers, one for each row")
    for value in (value for row in rows for value in row):
        if type(value) not in (int, float) or math.isnan(value):
            raise ValueError(f"are numbers, or .inf and -.inf, not {value!r}")
    return matrix(rows)
