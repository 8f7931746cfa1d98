"""Cards: what a learner reads about one concept, at three depths, rendered and checked.

Pure: files in, frozen values out. It knows the form of `card.md` and the rules that a card keeps; it does not know
pages, questions or learners.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from urllib.parse import quote

from courseware.concepts.card_rules import check_deep_dive, check_lines, check_outcome, read_facts
from courseware.concepts.card_source import (
    SectionSource,
    Text,
    list_items,
    split_front_matter,
    split_parts,
    split_sections,
)
from courseware.concepts.faults import Faults
from courseware.concepts.markup import MarkupError, plain_text
from courseware.concepts.pictures import section_pictures, weights_picture
from courseware.concepts.rendered import Rendered
from courseware.concepts.sources import Fields, read_yaml
from courseware.drawing.safe_html import SafeHtml

RECAP = (3, 5)
FURTHER_READING = (3, 5)
_WEB_ADDRESS = re.compile(r"https?://[^\s/?#<>\"]+[^\s<>\"]*")


@dataclass(frozen=True)
class Section:
    """A titled section of the deep dive; its id is its anchor on the page."""

    id: str
    title: str
    html: SafeHtml
    picture: SafeHtml  # matrices, charts, diagrams; "" where the section has none


@dataclass(frozen=True)
class Article:
    """An encyclopaedia's article for the full technical treatment."""

    title: str
    url: str


@dataclass(frozen=True)
class Card:
    """Everything that the pages of one concept show. Texts of type SafeHtml are rendered, all others are plain."""

    concept_id: str
    title: str
    outcome: SafeHtml
    hook: SafeHtml
    previous: SafeHtml
    next: SafeHtml
    five_lines: tuple[SafeHtml, ...]
    fifteen_lines: tuple[SafeHtml, ...]
    sections: tuple[Section, ...]
    recap: tuple[SafeHtml, ...]
    further_reading: tuple[SafeHtml, ...]
    encyclopaedia: tuple[Article, ...]
    picture: SafeHtml  # weights over the words of a sentence; "" where the card has none
    facts: Mapping[str, str]  # "F1" → the words of the card that carry it

    def section(self, section_id: str) -> Section | None:
        return next((section for section in self.sections if section.id == section_id), None)


def read_card(path: Path, faults: Faults, *, concept_id: str, title: str, cache: Path | None = None) -> Card | None:
    """Return the card that a file holds, or None after reporting why there is none.

    A card with faults of form may still be returned, so that what refers to it can be checked as well.
    """
    try:
        source = path.read_text(encoding="utf-8").replace("\r\n", "\n")
    except (OSError, UnicodeDecodeError) as error:
        faults.add(path, 1, "file", f"cannot be read: {error}")
        return None
    split = split_front_matter(path, source, faults)
    if split is None:
        return None
    front, body = split
    mapping = read_yaml(path, faults, text=front, first_line=2)
    if mapping is None:
        return None
    writer = _Writer(path, faults, Rendered(cache, source))
    card = writer.card(Fields(mapping, path, faults), body)
    for name, found, wanted in (("id", card.concept_id, concept_id), ("title", card.title, title)):
        if found and found != wanted:
            faults.add(path, mapping.line_of(name), name, f"is {found!r}; module.yaml says {wanted!r}")
    writer.rendered.keep()
    return card


def _places(five: Sequence[Text], fifteen: Sequence[Text], deep: Sequence[SectionSource]) -> Mapping[str, str]:
    """Return the source of everything that can carry a fact, by its name: "five:2", "fifteen:14", "deep:section-id"."""
    lines = {
        f"{key}:{at}": line.text
        for key, part in (("five", five), ("fifteen", fifteen))
        for at, line in enumerate(part, 1)
    }
    return lines | {f"deep:{section.id}": section.body.text for section in deep}


def article_url(title: str) -> str:
    """Return the address of an English Wikipedia article, built from its title."""
    name = title[:1].upper() + title[1:].replace(" ", "_")
    return "https://en.wikipedia.org/wiki/" + quote(name, safe="()_,:'!*-.~")


class _Writer:
    """Builds one card; every text passes through `_set`, which gives a fault its line in the file."""

    def __init__(self, path: Path, faults: Faults, rendered: Rendered) -> None:
        self.path, self.faults, self.rendered = path, faults, rendered

    def card(self, fields: Fields, body: Text) -> Card:
        parts = split_parts(self.path, body, self.faults)
        five = list_items(self.path, parts["Five lines"], "five", self.faults, is_ordered=True)
        fifteen = list_items(self.path, parts["Fifteen lines"], "fifteen", self.faults, is_ordered=True)
        deep = split_sections(self.path, parts["Deep dive"], self.faults)
        recap = list_items(self.path, parts["Recap"], "recap", self.faults, is_ordered=False)
        check_lines(self.path, five, "five", self.faults, count=5, words=22)
        check_lines(self.path, fifteen, "fifteen", self.faults, count=15, words=20)
        check_deep_dive(self.path, parts["Deep dive"].line - 1, deep, self.faults)
        self._check_count("recap", len(recap), RECAP, parts["Recap"].line - 1)
        check_outcome(fields)
        pictures = section_pictures(fields, [section.id for section in deep])
        card = Card(
            concept_id=fields.text("id"),
            title=self._plain("title", Text(fields.mapping.line_of("title"), fields.text("title"))),
            outcome=self._field(fields, "outcome"),
            hook=self._field(fields, "hook"),
            previous=self._field(fields, "previous"),
            next=self._field(fields, "next"),
            five_lines=self._items("five", five),
            fifteen_lines=self._items("fifteen", fifteen),
            sections=tuple(
                Section(
                    id=each.id,
                    title=self._plain(f"deep.{each.id}", each.title),
                    html=self._set(f"deep.{each.id}", each.body, self.rendered.block),
                    picture=pictures.get(each.id, SafeHtml()),
                )
                for each in deep
            ),
            recap=self._items("recap", recap),
            further_reading=self._further_reading(fields),
            encyclopaedia=tuple(Article(title, article_url(title)) for title in fields.texts("encyclopaedia")),
            picture=weights_picture(fields),
            facts=read_facts(fields, _places(five, fifteen, deep)),
        )
        if not card.encyclopaedia:
            fields.fault("encyclopaedia", "names no article")
        fields.refuse_unknown()
        return card

    def _field(self, fields: Fields, name: str) -> SafeHtml:
        text = fields.text(name)
        return self._set(name, Text(fields.mapping.line_of(name), text), self.rendered.inline)

    def _items(self, key: str, items: list[Text]) -> tuple[SafeHtml, ...]:
        return tuple(
            self._set(f"{key}.{number}", item, self.rendered.inline) for number, item in enumerate(items, start=1)
        )

    def _plain(self, key: str, title: Text) -> str:
        try:
            return plain_text(title.text)
        except MarkupError as error:
            self.faults.add(self.path, title.line, key, error.reason)
            return ""

    def _further_reading(self, fields: Fields) -> tuple[SafeHtml, ...]:
        works = []
        for reader in fields.each("further_reading"):
            line = reader.mapping.line_of("text")
            html = self._set(f"{reader.key}.text", Text(line, reader.text("text")), self.rendered.inline)
            url = reader.text("url", required=False)
            if url and not _WEB_ADDRESS.fullmatch(url):
                reader.fault("url", f"must be an http or https address, not {url!r}")
            elif url and "<a " in html:
                reader.fault("text", "holds a link of its own beside the url")
            elif url:
                html = SafeHtml(f'<a href="{escape(url)}" rel="noopener">{html}</a>')
            reader.refuse_unknown()
            works.append(html)
        self._check_count("further_reading", len(works), FURTHER_READING, fields.mapping.line_of("further_reading"))
        return tuple(works)

    def _check_count(self, key: str, count: int, allowed: tuple[int, int], line: int) -> None:
        if not allowed[0] <= count <= allowed[1]:
            self.faults.add(self.path, line, key, f"has {count} entries; there are {allowed[0]} to {allowed[1]}")

    def _set(self, key: str, text: Text, render: Callable[[str], SafeHtml]) -> SafeHtml:
        try:
            return render(text.text)
        except MarkupError as error:
            for fault in error.faults:
                self.faults.add(self.path, text.line + fault.line - 1, key, fault.reason)
            return SafeHtml()
