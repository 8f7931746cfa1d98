"""Code blocks as HTML: four classes of highlighting, and line numbers that stand outside the code.

Pure. It knows Pygments and the class names of the style sheet, nothing of Markdown.
"""

from functools import lru_cache
from html import escape

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, String, _TokenType
from pygments.util import ClassNotFound

from courseware.drawing.safe_html import SafeHtml

# The most specific kind first: a token has the class of the first kind that holds it.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "cm"),
    (Number, "nb"),
    (String, "st"),
    (Name.Decorator, "kw"),
    (Keyword, "kw"),
)


class UnknownLanguage(ValueError):
    """A code block names a language that has no highlighter."""


def code_block(source: str, language: str) -> SafeHtml:
    """Return a block of code as HTML, with its line numbers beside it, hidden from screen readers."""
    source = source.rstrip("\n")
    numbers = "\n".join(str(number) for number in range(1, source.count("\n") + 2))
    return SafeHtml(
        f'<div class="src"><pre class="ln" aria-hidden="true">{numbers}</pre>'
        f'<pre tabindex="0" role="group" aria-label="Code"><code>{highlighted(source, language)}</code></pre></div>\n'
    )


@lru_cache(maxsize=256)  # the course's own lines of code, and the programs that are looked at just now
def highlighted(source: str, language: str) -> SafeHtml:
    """Return code as HTML for within a line, its kinds of words told apart by classes."""
    if not language:
        return SafeHtml(escape(source, quote=False))
    pieces = []
    for kind, text in _lexer(language).get_tokens(source):
        name = next((name for parent, name in _CLASSES if kind in parent), "")
        shown = escape(text, quote=False)
        pieces.append(f'<span class="{name}">{shown}</span>' if name else shown)
    return SafeHtml("".join(pieces))


def _lexer(language: str) -> Lexer:
    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        raise UnknownLanguage(f"{language!r} is not a language that can be highlighted") from None
