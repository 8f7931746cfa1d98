"""What a text consists of, block by block: lets rules about a card's form be checked by machine.

Pure. It reads structure and renders nothing.
"""

from dataclasses import dataclass
from typing import Literal

from markdown_it.token import Token

from courseware.concepts.dialect import parse_block

Kind = Literal["paragraph", "formula", "ordered list", "list", "table", "code", "heading", "other"]
_KINDS: dict[str, Kind] = {
    "paragraph_open": "paragraph",
    "math_block": "formula",
    "ordered_list_open": "ordered list",
    "bullet_list_open": "list",
    "table_open": "table",
    "fence": "code",
    "heading_open": "heading",
}


@dataclass(frozen=True)
class Block:
    """One block of a text: its kind, its 1-based line, its words and the formulas in them."""

    kind: Kind
    line: int
    text: str
    formulas: tuple[str, ...]
    items: int = 0  # of a list


def outline(source: str) -> tuple[Block, ...]:
    """Return the outermost blocks of a text, in order."""
    blocks: list[Block] = []
    group: list[Token] = []
    for token in parse_block(source):
        group.append(token)
        if token.level == 0 and token.nesting <= 0:
            blocks.append(_block(group))
            group = []
    return tuple(blocks)


def _block(group: list[Token]) -> Block:
    first = group[0]
    formulas, texts, items = [], [], 0
    for token in group:
        if token.type == "math_block":
            formulas.append(token.content)
        for child in token.children or []:
            if child.type == "math_inline":
                formulas.append(child.content)
        if token.type == "inline":
            texts.append(token.content)
        if token.type == "list_item_open" and token.level == 1:
            items += 1
    line = first.map[0] + 1 if first.map else 1
    return Block(_KINDS.get(first.type, "other"), line, "\n".join(texts), tuple(formulas), items)
