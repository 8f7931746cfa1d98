"""What a module keeps for looking things up: its glossary, with links from first uses, and its notation.

Pure. `glossary.yaml` and `notation.yaml` lie beside `module.yaml`; a module may be without either.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.markup import MarkupError
from courseware.concepts.rendered import Rendered
from courseware.concepts.sources import Fields, YamlMapping, read_yaml
from courseware.drawing.safe_html import SafeHtml

GLOSSARY_ADDRESS = "/glossary/"  # where the page is; the loader has no Django to ask
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SEE = re.compile(r"([a-z0-9-]+)#([a-z0-9-]+)")
_PARTS = re.compile(r"(<[^>]*>)")
# No link inside a link, none where words are code, a formula, a heading or part of a drawing, and none on a word in
# bold type, which is being explained on the spot.
_CLOSED_TO_LINKS = frozenset(
    {"a", "code", "pre", "math", "h2", "h3", "h4", "strong", "svg", "summary", "figcaption", "th"}
)


@dataclass(frozen=True)
class Pointer:
    """Where a card teaches something."""

    concept_id: str
    section_id: str


@dataclass(frozen=True)
class Term:
    """A word of the subject, what it means in a sentence or two, and where it is taught."""

    id: str
    term: str
    forms: tuple[str, ...]  # as cards write it, the term itself first
    is_linked: bool  # from first uses; not so what every card uses
    meaning: SafeHtml
    see: Pointer


@dataclass(frozen=True)
class Symbol:
    """A symbol of the formulas, what it stands for, and where it is first used."""

    symbol: SafeHtml
    meaning: SafeHtml
    see: Pointer


@dataclass(frozen=True)
class Reference:
    """Glossary in alphabetical order, notation in the order written."""

    terms: tuple[Term, ...] = ()
    symbols: tuple[Symbol, ...] = ()


def read_reference(
    folder: Path, faults: Faults, sections: Mapping[str, Iterable[str]], cache: Path | None
) -> Reference:
    """Return what a module keeps for looking up; `sections` are those of each written card, by concept."""
    terms, symbols = [], []
    reader = _Reader(folder, faults, {concept: frozenset(ids) for concept, ids in sections.items()}, cache)
    for entry in reader.entries("glossary.yaml", "terms"):
        identifier = entry.text("id")
        if identifier and not _ID.fullmatch(identifier):
            entry.fault("id", f"{identifier!r} must be small letters, digits and single hyphens")
        term = entry.text("term")
        forms = (term, *entry.texts("forms", required=False))
        is_linked = not entry.flag("unlinked")
        terms.append(Term(identifier, term, forms, is_linked, reader.set(entry, "meaning"), reader.pointer(entry)))
        entry.refuse_unknown()
    for entry in reader.entries("notation.yaml", "symbols"):
        symbols.append(Symbol(reader.set(entry, "symbol"), reader.set(entry, "meaning"), reader.pointer(entry)))
        entry.refuse_unknown()
    reader.refuse_repeats(terms)
    return Reference(tuple(sorted(terms, key=lambda term: term.term.casefold())), tuple(symbols))


class _Reader:
    def __init__(
        self, folder: Path, faults: Faults, sections: Mapping[str, frozenset[str]], cache: Path | None
    ) -> None:
        self.folder, self.faults, self.sections, self.cache = folder, faults, sections, cache
        self.rendered = Rendered(None, "")

    def entries(self, name: str, key: str) -> Iterable[Fields]:
        path = self.folder / name
        if not path.exists():
            return
        mapping = read_yaml(path, self.faults)
        if not isinstance(mapping, YamlMapping):
            return
        self.rendered = Rendered(self.cache, path.read_text(encoding="utf-8"))
        fields = Fields(mapping, path, self.faults)
        yield from fields.each(key)
        fields.refuse_unknown()
        self.rendered.keep()

    def set(self, entry: Fields, name: str) -> SafeHtml:
        try:
            return self.rendered.inline(entry.text(name))
        except MarkupError as error:
            for fault in error.faults:
                entry.fault(name, fault.reason)
            return SafeHtml()

    def pointer(self, entry: Fields) -> Pointer:
        see = entry.text("see")
        found = _SEE.fullmatch(see)
        if see and not found:
            entry.fault("see", f"has the form concept-id#section-id, not {see!r}")
        if not found:
            return Pointer("", "")
        concept, section = found.groups()
        if section not in self.sections.get(concept, ()):
            entry.fault("see", f"{see!r} is no section of a card that is written")
        return Pointer(concept, section)

    def refuse_repeats(self, terms: Sequence[Term]) -> None:
        seen: set[str] = set()
        for term in terms:
            for word in {term.id, *(form.casefold() for form in term.forms)}:
                if word in seen:
                    self.faults.add(self.folder / "glossary.yaml", 1, term.id, f"{word!r} stands in two terms")
            seen |= {term.id, *(form.casefold() for form in term.forms)}


def link_first_uses(sections: Sequence[SafeHtml], terms: Sequence[Term], *, concept_id: str) -> tuple[SafeHtml, ...]:
    """Return the sections of one card with a link to the glossary at the first use of each term taught elsewhere."""
    if not terms:
        return tuple(sections)
    forms = {form.casefold(): term for term in terms for form in term.forms}
    # All of them, linked or not: a word inside a longer term is not that word.
    longest_first = sorted(map(re.escape, forms), key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])", re.IGNORECASE)
    passed_over = {term.id for term in terms if not term.is_linked or term.see.concept_id == concept_id}

    def link(match: re.Match[str]) -> str:
        term = forms[match.group().casefold()]
        if term.id in passed_over:
            return match.group()
        passed_over.add(term.id)
        return f'<a class="term" href="{GLOSSARY_ADDRESS}#{escape(term.id)}">{match.group()}</a>'

    return tuple(SafeHtml("".join(_linked(html, pattern, link))) for html in sections)


def _linked(html: str, pattern: re.Pattern[str], link: Callable[[re.Match[str]], str]) -> Iterable[str]:
    closed = 0
    for part in _PARTS.split(html):
        if part.startswith("<"):
            name = re.match(r"</?([a-z0-9]+)", part)
            if name and name[1] in _CLOSED_TO_LINKS and not part.endswith("/>"):
                closed += -1 if part.startswith("</") else 1
            yield part
        else:
            yield part if closed else pattern.sub(link, part)
