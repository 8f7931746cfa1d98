"""The rules that every card keeps, as far as a machine can judge: lines, formulas, steps, facts, outcome.

Pure. Each rule reports what is wrong where it stands and says what is wanted. What a fact says is the author's to
judge; that it can be found is checked here.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import Path

from courseware.concepts.card_source import SectionSource, Text
from courseware.concepts.faults import Faults
from courseware.concepts.outline import Block, outline
from courseware.concepts.sources import Fields, YamlList
from courseware.concepts.tex import undefined

SECTIONS = (4, 6)
DISPLAY_FORMULAS = 3  # at least
MEAN_WORDS = 15  # of the lines of a card: a strong reader of secondary-school age can follow
# Short forms whose full stop ends no sentence.
_SHORT = re.compile(r"\b(?:e\.g|i\.e|vs|cf|etc|approx)\.", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"”’)]*(?=\s|$)")
_MEASURABLE = (
    "adapt apply argue assemble build calculate check choose classify compare compute connect construct contrast "
    "convert count decide define demonstrate derive describe design detect determine diagnose distinguish draw "
    "estimate evaluate explain express find follow give identify implement interpret judge justify list locate mark "
    "match measure name order place predict prove rank read recognise recognize reconstruct relate rewrite say select "
    "separate show sketch solve state tell trace transform translate use verify weigh work write"
)
_VERBS = frozenset(_MEASURABLE.split())


def check_lines(path: Path, lines: Sequence[Text], key: str, faults: Faults, *, count: int, words: int) -> None:
    """Report lines that are too many, too few, too long, not one sentence, or not plain words."""
    if len(lines) != count:
        faults.add(path, lines[0].line if lines else 1, key, f"has {len(lines)} lines; there are exactly {count}")
    for number, line in enumerate(lines, start=1):
        here = f"{key}.{number}"
        length = _word_count(line.text)
        if length > words:
            faults.add(path, line.line, here, f"has {length} words; a line has at most {words}")
        ends = len(_SENTENCE_END.findall(_SHORT.sub("", line.text)))
        if ends != 1 or not re.search(r"[.!?][\"”’)]*$", line.text):
            faults.add(
                path, line.line, here, "is not one sentence: one full stop, question or exclamation mark, at its end"
            )
        symbol = _symbol(line.text)
        if symbol:
            faults.add(path, line.line, here, f"holds the symbol {symbol!r}; lines are plain words")
    if lines:
        mean = sum(_word_count(line.text) for line in lines) / len(lines)
        if mean > MEAN_WORDS:
            faults.add(
                path, lines[0].line, key, f"has {mean:.1f} words a line on average; at most {MEAN_WORDS} are easy"
            )


def check_deep_dive(path: Path, line: int, sections: Sequence[SectionSource], faults: Faults) -> None:
    """Report a deep dive whose sections, formulas, definitions or closing steps are not as a card has them."""
    if not SECTIONS[0] <= len(sections) <= SECTIONS[1]:
        faults.add(path, line, "deep", f"has {len(sections)} sections; there are {SECTIONS[0]} to {SECTIONS[1]}")
    formulas = 0
    for section in sections:
        blocks = outline(section.body.text)
        for number, block in enumerate(blocks):
            if block.kind == "formula":
                formulas += 1
                _check_definitions(path, section, block, blocks[number + 1 :], faults)
            if block.kind == "heading" and block.text:
                _refuse_deep_heading(path, section, block, faults)
    if formulas < DISPLAY_FORMULAS:
        faults.add(path, line, "deep", f"has {formulas} display formulas; there are at least {DISPLAY_FORMULAS}")
    if sections:
        last = sections[-1]
        steps = [block for block in outline(last.body.text) if block.kind == "ordered list"]
        if not steps or steps[0].items < 2:
            faults.add(path, last.title.line, f"deep.{last.id}", "the last section is an ordered list of steps")


def read_facts(fields: Fields, places: Mapping[str, str]) -> Mapping[str, str]:
    """Return each fact with the words that carry it, given every place of the card with its source.

    A fact is `{at: place, says: words of that place}`, or a list of these. Facts out of order, places that the card
    does not have and words that do not stand there are reported.
    """
    reader = fields.fields("facts")
    if reader is None:
        return {}
    facts = {}
    for number, (fact, value) in enumerate(reader.mapping.items(), start=1):
        if fact != f"F{number}":
            reader.fault(fact, f"is out of order; the fact here is F{number}")
        several = isinstance(value, YamlList)
        carriers = reader.each(fact) if several else [each for each in [reader.fields(fact)] if each]
        facts[fact] = " ".join(_carried(carrier, places) for carrier in carriers)
    if not facts:
        fields.fault("facts", "has no facts; each is numbered and says where the card holds it")
    return facts


def _carried(carrier: Fields, places: Mapping[str, str]) -> str:
    place, says = carrier.text("at"), " ".join(carrier.text("says").split())
    carrier.refuse_unknown()
    if place and place not in places:
        carrier.fault("at", f"is {place!r}, which is no place of this card, such as deep:section-id or five:2")
    elif place and says not in " ".join(places[place].split()):
        carrier.fault("says", f"does not stand at {place} in these words: {says!r}")
    return says


def check_outcome(fields: Fields) -> None:
    """Report an outcome that is not one sentence beginning with a verb that can be measured."""
    outcome = str(fields.mapping.get("outcome") or "").strip()
    if not outcome:
        return
    verb = re.split(r"\W", outcome, maxsplit=1)[0].lower()
    if verb not in _VERBS:
        fields.fault(
            "outcome", f"begins with {verb!r}; an outcome begins with what the learner can do: compute, explain, …"
        )
    if len(_SENTENCE_END.findall(_SHORT.sub("", outcome))) != 1 or outcome[-1] != ".":
        fields.fault("outcome", "is not one sentence")


def _check_definitions(
    path: Path, section: SectionSource, formula: Block, after: Sequence[Block], faults: Faults
) -> None:
    defining = list(after[:1])
    if defining and defining[0].text.rstrip().endswith(":"):  # “with:” and then a list
        defining = list(after[:2])
    definitions = [each for block in defining if block.kind != "formula" for each in block.formulas]
    missing = undefined(formula.formulas[0], definitions)
    if missing:
        line = section.body.line + formula.line - 1
        reason = f"the text right after this formula does not define {', '.join(missing)}"
        faults.add(path, line, f"deep.{section.id}", reason)


def _refuse_deep_heading(path: Path, section: SectionSource, block: Block, faults: Faults) -> None:
    source = section.body.text.split("\n")[block.line - 1]
    if not source.startswith("###"):
        line = section.body.line + block.line - 1
        faults.add(path, line, f"deep.{section.id}", "a heading inside a section has three or four #")


def _word_count(text: str) -> int:
    return sum(1 for word in text.split() if any(character.isalnum() for character in word))


def _symbol(text: str) -> str:
    """Return what is a symbol rather than a word or its punctuation: =, d_k, a letter that stands for something."""
    for character in text:
        if unicodedata.category(character) in ("Sm", "Sk", "So", "Sc") or character in "$\\_^*/<>{}[]#@&`|~":
            return character
    lone = re.search(r"(?<![\w'’.-])(?!(?:[aAIO])\b)[^\W\d_](?![\w'’.-])", text)
    greek = re.search(r"[\u0370-\u03ff]", text)
    found = lone or greek
    return found.group() if found else ""
