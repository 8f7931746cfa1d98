"""The pictures of a card, drawn from numbers in its front matter: a sentence with its weights, matrices in a section.

Pure. It reads what an author wrote and reports what cannot be drawn; how a picture looks is the drawing's own.
"""

import math
from collections.abc import Mapping, Sequence
from html import escape

from courseware.concepts.sources import Fields, YamlList
from courseware.drawing.heat_map import Axis, heat_map
from courseware.drawing.matrices import Matrix, matrix
from courseware.drawing.safe_html import SafeHtml
from courseware.drawing.words import weights_over_words


def weights_picture(fields: Fields) -> SafeHtml:
    """Return the sentence of `weights_example` with its weights; an empty text where the card has none."""
    example = fields.fields("weights_example", required=False)
    if example is None:
        return SafeHtml()
    words, weights = example.texts("words"), example.numbers("weights")
    asks, title, caption = example.integer("asks", minimum=1), example.text("title"), example.text("caption")
    example.refuse_unknown()
    try:
        return weights_over_words(words, weights, asks=asks - 1, title=title, caption=caption)
    except ValueError as error:
        example.fault("weights", str(error))
        return SafeHtml()


def matrix_pictures(fields: Fields, sections: Sequence[str]) -> Mapping[str, SafeHtml]:
    """Return the matrices of `matrix_example`, side by side under the id of the section that they belong to."""
    example = fields.fields("matrix_example", required=False)
    if example is None:
        return {}
    section, caption = example.text("section"), example.text("caption")
    rows, columns = _axis(example, "rows"), _axis(example, "columns")
    readers = example.each("matrices")
    example.refuse_unknown()
    if section and section not in sections:
        example.fault("section", f"{section!r} is no section of this card")
    if example.mapping.get("matrices") == []:
        example.fault("matrices", "holds no matrix")
    figures = "".join(
        _figure(reader, f"{section}-matrix-{number}", rows, columns) for number, reader in enumerate(readers, start=1)
    )
    html = f'<figure class="gap1"><div class="maps">{figures}</div><figcaption>{escape(caption)}</figcaption></figure>'
    return {section: SafeHtml(html)}


def _axis(example: Fields, name: str) -> Axis:
    reader = example.fields(name)
    if reader is None:
        return Axis("", "")
    axis = Axis(reader.text("word"), reader.text("letter"))
    reader.refuse_unknown()
    return axis


def _figure(reader: Fields, key: str, rows: Axis, columns: Axis) -> str:
    title, finding, shows_sums = reader.text("title"), reader.text("finding"), reader.flag("sums")
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
