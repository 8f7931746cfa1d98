"""What a reader sees of a page: its words, with formulas and code told from plain text, and all that could run."""

import re
from html.parser import HTMLParser

_VOID = frozenset(
    {"meta", "link", "input", "br", "hr", "img", "source", "wbr", "col", "area", "base", "embed", "track"}
)
_ENDS_LINE = frozenset({"p", "div", "li", "td", "th", "tr", "h1", "h2", "h3", "h4", "dt", "dd", "pre", "section"})


class Reading(HTMLParser):
    """Reads a page as a browser would; `words` has formulas as ⟦a<b⟧ and code as ⟨a⟩."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.words = ""
        self.running: list[str] = []  # what would run, or take something from elsewhere
        self.labels: list[str] = []  # what only a screen reader says
        self.title = ""
        self.typed: list[str] = []  # what fields hold
        self._open: list[str] = []
        self.feed(html)
        self.words = re.sub(r"[ \n]+", " ", self.words)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag in ("script", "iframe", "object", "embed", "img", "base", "style", "marquee"):
            source = given.get("src") or ""
            if not (tag == "script" and source.startswith("/static/")):
                self.running.append(f"<{tag} {given}>")
        for name, value in attrs:
            if name.startswith("on") or "javascript:" in (value or "").lower().replace("\t", ""):
                self.running.append(f"{name}={value}")
        if tag == "input" and given.get("type") not in ("hidden", "radio", "checkbox"):
            self.typed.append(given.get("value") or "")
        self.labels.append(given.get("aria-label") or "")
        self.words += {"math": "⟦", "code": "⟨"}.get(tag, " " if tag in _ENDS_LINE and "math" not in self._open else "")
        if tag in ("mtd", "mtr") and self.words[-1] not in "⟦;":
            self.words += "&" if tag == "mtd" else ";"
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "textarea":
            self.typed.append("")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._open:
            while self._open.pop() != tag:
                pass
        self.words += {"math": "⟧", "code": "⟩"}.get(tag, " " if tag in _ENDS_LINE else "")

    def handle_data(self, data: str) -> None:
        if "title" in self._open and "svg" not in self._open:
            self.title += data
        elif "textarea" in self._open:
            self.typed[-1] += data
        else:
            self.words += data.strip() if "math" in self._open else data
