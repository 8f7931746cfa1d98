"""Authored Markdown with formulas, turned into HTML that is safe to put on a page.

Pure: no Django, no files. It does not know what a card or a question is. The way: Markdown without raw HTML →
formulas set aside under an unguessable name → cleaned by nh3 → formulas put back as MathML, so that the cleaner never
has to let MathML through. Every fault of a text is found in one pass and raised together as one MarkupError.
"""

import re
import secrets
from dataclasses import dataclass
from functools import lru_cache
from html import escape

import nh3
from markdown_it.token import Token
from math_core import LatexError, LatexToMathML

from courseware.concepts.code import UnknownLanguage, code_block
from courseware.concepts.dialect import parse_block, parse_inline, parser
from courseware.concepts.speech import TooDeep, speak
from courseware.drawing.safe_html import SafeHtml

VERSION = 5  # part of the name of every cached rendering: raise it whenever the HTML changes
MAX_FORMULA_CHARACTERS = 2_000  # math-core 0.9.0 crashes the process on a formula nested 5,000 deep

_LINK = re.compile(r"https?://[^\s/?#]+\S*|#[a-z0-9]+(?:-[a-z0-9]+)*", re.IGNORECASE)
# Characters that reorder or hide what follows; a right-to-left word needs none of them.
_HIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff]")
# What stands close to an inline formula. A browser may end a line between the two, whichever mark it is.
_OPENING, _CLOSING = r"[(\[“‘]*", r"[.,;:!?)\]”’%]*"
# One name for the whole process: whoever writes a text cannot know it, and a pattern is compiled once.
_NAME = f"MATH{secrets.token_hex(8)}"
_PLACEHOLDER = re.compile(rf"({_OPENING}){_NAME}X(\d+)X({_CLOSING})")
_LOOSE_TEX = re.compile(r"\$\$|\$[^$]*\\[A-Za-z]|\\[A-Za-z]+\{")
# Formulas and loose TeX, links and pictures, code, headings, tables: every other text is words.
_MAY_BE_AT_FAULT = re.compile(rf"[$\\\[`~#|]|^\s*=|{_HIDDEN.pattern}", re.MULTILINE)
_ELEMENTS = "p em strong s code pre ul ol li blockquote h2 h3 h4 table thead tbody tr th td a br hr div span"
_ATTRIBUTES = {
    "a": {"href", "rel"},
    "div": {"class", "tabindex", "role", "aria-label"},
    "ol": {"class", "start"},
    "pre": {"class", "tabindex", "role", "aria-label", "aria-hidden"},
    "span": {"class"},
    "table": {"class"},
    "td": {"class"},
    "th": {"class", "scope"},
}


@dataclass(frozen=True)
class MarkupFault:
    """One fault of a text: the 1-based line inside that text, and what is wrong."""

    line: int
    reason: str


class MarkupError(ValueError):
    """A text cannot be rendered. `faults` holds every fault; `line` and `reason` are those of the first."""

    def __init__(self, faults: tuple[MarkupFault, ...]) -> None:
        self.faults = faults
        self.line, self.reason = faults[0].line, faults[0].reason
        super().__init__("; ".join(f"line {fault.line}: {fault.reason}" for fault in faults))


@lru_cache(maxsize=4096)
def render_block(source: str) -> SafeHtml:
    """Return a text of paragraphs, lists, tables, code and display formulas as HTML."""
    return _Rendering(source).html(parse_block(source))


@lru_cache(maxsize=4096)
def render_inline(source: str) -> SafeHtml:
    """Return a text that is one run of words, without a paragraph around it, as HTML."""
    return _Rendering(source).html([_inline_token(source)])


def may_be_at_fault(source: str) -> bool:
    """Tell whether rendering a text could raise MarkupError; most texts hold nothing that could."""
    return _MAY_BE_AT_FAULT.search(source) is not None


@lru_cache(maxsize=4096)
def plain_text(source: str) -> str:
    """Return a text without its markup, formulas in words: for page titles and CSV files. It is not HTML."""
    render_inline(source)  # raises for the same faults as when it is shown
    words = []
    for token in parse_inline(source):
        if token.type == "math_inline":
            words.append(speak(token.content))
        elif token.type in ("softbreak", "hardbreak"):
            words.append(" ")
        else:
            words.append(token.content)
    return re.sub(r"\s+", " ", "".join(words)).strip()


def _inline_token(source: str) -> Token:
    return Token("inline", "", 0, content=source, children=parse_inline(source))


@lru_cache(maxsize=1)
def _converter() -> LatexToMathML:
    return LatexToMathML(fancy_error=False)


class _Rendering:
    """One text on its way to HTML: walks the tokens once, changing those that need it and noting every fault."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.formulas: list[str] = []
        self.inline: set[int] = set()  # which of them stand within a line
        self.faults: list[MarkupFault] = []
        self.first_cell = False

    def html(self, tokens: list[Token]) -> SafeHtml:
        for number, text in enumerate(self.source.split("\n"), start=1):
            for hidden in _HIDDEN.findall(text):
                self._fault(number, f"holds the hidden character U+{ord(hidden):04X}")
        line = 1
        for token in tokens:
            if token.map:
                line = token.map[0] + 1
            self._block(token, line)
        if self.faults:
            raise MarkupError(tuple(sorted(self.faults, key=lambda fault: fault.line)))
        raw = parser().renderer.render(tokens, parser().options, {})
        clean = nh3.clean(
            raw,
            tags=set(_ELEMENTS.split()),
            attributes=_ATTRIBUTES,
            url_schemes={"http", "https"},
            link_rel=None,
            strip_comments=True,
        )
        return SafeHtml(_PLACEHOLDER.sub(self._put_back, clean).strip())

    def _put_back(self, match: re.Match[str]) -> str:
        """Return a formula with the marks around it, on one line with them if it stands in running text."""
        number = int(match[2])
        html = f"{match[1]}{self.formulas[number]}{match[3]}"
        has_marks = match[1] or match[3]
        return f'<span class="nobr">{html}</span>' if has_marks and number in self.inline else html

    def _block(self, token: Token, line: int) -> None:
        if token.type == "inline":
            self._inline(token, line)
        elif token.type == "math_block":
            self._formula(token, line, display=True)
        elif token.type == "fence":
            self._code(token, line)
        elif token.type == "heading_open" and token.tag not in ("h2", "h3", "h4"):
            self._fault(line, "a heading has two to four #; the page itself has the first level")
        elif token.type == "table_open":
            self._table(token)
        elif token.type == "table_close":
            token.type, token.content = "html_block", "</table></div>\n"
        elif token.type == "ordered_list_open":
            token.attrSet("class", "steps")
        elif token.type == "tr_open":
            self.first_cell = True
        elif token.type in ("th_open", "td_open", "td_close"):
            self._cell(token)

    def _inline(self, token: Token, line: int) -> None:
        for child in token.children or []:
            if child.type in ("softbreak", "hardbreak"):
                line += 1
            elif child.type == "math_inline":
                breaks = child.content.count("\n")
                self._formula(child, line, display=False)
                line += breaks
            elif child.type == "image":
                self._fault(line, "pictures are not part of a text; a picture is drawn from its numbers")
            elif child.type == "link_open":
                self._link(child, line)
            elif child.type == "text" and _LOOSE_TEX.search(child.content):
                self._fault(line, f"holds TeX outside a formula, or a formula that does not end: {child.content!r}")

    def _formula(self, token: Token, line: int, *, display: bool) -> None:
        tex = token.content.strip()
        token.type = "html_block" if display else "text"
        token.content = f"{_NAME}X{len(self.formulas)}X" + ("\n" if display else "")
        if not display:
            self.inline.add(len(self.formulas))
        html = ""
        if len(tex) > MAX_FORMULA_CHARACTERS:
            self._fault(
                line, f"a formula has {len(tex):,} characters; at most {MAX_FORMULA_CHARACTERS:,} are converted"
            )
        elif not tex:
            self._fault(line, "a formula is empty")
        else:
            try:
                words = speak(tex)
                html = _converter().convert_with_local_state(tex, displaystyle=display)
            except TooDeep as error:
                self._fault(line, f"a formula {error}")
            except LatexError as error:
                self._fault(line, f"a formula cannot be read, at character {error}: {tex[:60]}")
            else:
                if display:
                    label = escape(f"Formula: {words}")
                    html = f'<div class="formula" tabindex="0" role="group" aria-label="{label}">{html}</div>'
        self.formulas.append(html)

    def _code(self, token: Token, line: int) -> None:
        html = ""
        try:
            html = code_block(token.content, token.info.strip())
        except UnknownLanguage as error:
            self._fault(line, str(error))
        token.type, token.content = "html_block", html

    def _link(self, token: Token, line: int) -> None:
        address = str(token.attrGet("href") or "")
        if not _LINK.fullmatch(address):
            self._fault(line, f"a link goes to http://…, https://… or #section, not to {address!r}")
        elif not address.startswith("#"):
            token.attrSet("rel", "noopener")
        token.attrs.pop("title", None)

    def _table(self, token: Token) -> None:
        assert token.map is not None  # markdown-it sets it for every table
        lines = self.source.split("\n")
        for number in range(*token.map):
            if any(child.type == "math_inline" and "|" in child.content for child in parse_inline(lines[number])):
                reason = r"a formula in a table holds |, which ends the cell; write \mid, \lvert or \lVert"
                self._fault(number + 1, reason)
        token.type = "html_block"
        token.content = '<div class="roll" tabindex="0" role="group" aria-label="Table"><table class="data">\n'

    def _cell(self, token: Token) -> None:
        """Make the first cell of each row a row header, and say alignment by a class: style attributes are refused."""
        style = str(token.attrs.pop("style", ""))
        if "right" not in style and token.type != "td_close":
            token.attrSet("class", "t")
        if token.type == "th_open":
            token.attrSet("scope", "col")
        elif self.first_cell:
            token.tag = "th"
            if token.type == "td_open":
                token.attrSet("scope", "row")
            else:
                self.first_cell = False

    def _fault(self, line: int, reason: str) -> None:
        self.faults.append(MarkupFault(line, reason))
