"""The Markdown that course files are written in: which rules are on, and where a formula begins and ends.

Pure. It parses and judges nothing. The block rule for formulas is the plugin's. The inline rule is ours, since the
plugin's looks at the last character of a text when a formula is its first, and so loses the formula in "$x$ is 5",
and lets a formula swallow a code span.
"""

from functools import lru_cache

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.dollarmath.index import math_block_dollar

_display_formula = math_block_dollar(allow_labels=False, allow_blank_lines=False)


def parse_block(source: str) -> list[Token]:
    """Return the tokens of a text of paragraphs, lists, tables, code and display formulas."""
    return parser().parse(source)


def parse_inline(source: str) -> list[Token]:
    """Return the tokens of a text that is one run of words; there are none for an empty text."""
    return list(parser().parseInline(source)[0].children or [])


@lru_cache(maxsize=1)
def parser() -> MarkdownIt:
    """Return the parser; raw HTML, pictures of code by indentation and bare addresses are not part of the dialect."""
    # Keyboards have straight quotes and apostrophes only; pages have printed ones, and code keeps what was typed.
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": True}).enable(["table", "smartquotes"])
    markdown.disable(["code", "html_block", "html_inline"])
    # Whoever renders judges links, and can name the line; refused by the parser, a link would become plain text.
    markdown.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005
    dollarmath_plugin(markdown, allow_labels=False, allow_blank_lines=False)
    markdown.inline.ruler.at("math_inline", _inline_formula)
    # A display formula ends a paragraph even where no blank line stands before it.
    markdown.block.ruler.at("math_block", _block_formula, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    return markdown


def _block_formula(state: StateBlock, line: int, last: int, silent: bool) -> bool:
    text = state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].strip()
    if not text.startswith("$$") or ("$$" in text[2:] and not text.endswith("$$")):
        return False
    # Asked silently, whether a paragraph ends here, the plugin's rule would already make a token.
    return True if silent else bool(_display_formula(state, line, last, silent))


def _inline_formula(state: StateInline, silent: bool) -> bool:
    text, start = state.src, state.pos
    if text[start] != "$":
        return False
    mark = "$$" if text.startswith("$$", start) else "$"
    before = text[start - 1] if start else ""
    begin = start + len(mark)
    end = _closing(text, mark, begin)
    if end is None or begin == end or before.isdigit():
        return False
    after = text[end + len(mark) : end + len(mark) + 1]
    if text[begin].isspace() or text[end - 1].isspace() or after.isdigit():
        return False
    if not silent:
        token = state.push("math_inline", "math", 0)
        token.content = text[begin:end]
        token.markup = mark
    state.pos = end + len(mark)
    return True


def _closing(text: str, mark: str, begin: int) -> int | None:
    """Return where the closing dollar stands; a backslash escapes the character after it."""
    at = begin
    while at < len(text):
        if text[at] == "\\":
            at += 2
            continue
        if text[at] == "`":  # no formula needs one; it opens a code span, whose dollars are not ours
            return None
        if text.startswith(mark, at):
            return at
        at += 1
    return None
