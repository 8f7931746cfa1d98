"""What every text of a question must keep to: length of explanations, forms that are banned, maths that can be set.

Faults go to the reader of the mapping that holds the text, so that each names its file, line and key. Pure.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from courseware.concepts.markup import MarkupError
from courseware.concepts.sources import Fields
from quizzes.questions import Cause, Explanation, Grounds


@dataclass(frozen=True)
class Length:
    """How long an explanation may be, the least and the most."""

    words: tuple[int, int]
    sentences: tuple[int, int]


WHOLE = Length(words=(25, 80), sentences=(2, 4))  # shorter names no reason, longer is not read
PART = Length(words=(12, 60), sentences=(1, 4))  # of one step or one half of a pair: two of them are read together

_MATHS = re.compile(r"\$\$.+?\$\$|\$[^$\n]+?\$", re.DOTALL)
_CODE = re.compile(r"`[^`\n]+`")
_PLACEHOLDER = re.compile(r"\[\[[^\[\]]*\]\]")
_WORD = re.compile(r"\S*\w\S*")
_ABBREVIATIONS = re.compile(r"\b(?:e\.g|i\.e|vs|cf)\.", re.IGNORECASE)
_SENTENCE_END = re.compile(r"[.!?][\"”’)*_]*(?=\s|$)")
# Options stand in another order for every learner, so that a place or a letter names a different one each time.
_NAMES_AN_OPTION = re.compile(
    r"\b(?:options?|choices?|statements?|distractors?|answers?)\s+\(?(?:[A-H]|[1-9])\)?(?=[\s.,;:!?]|$)"
    r"|\b(?:first|second|third|fourth|fifth|last|previous|next)\s+(?:option|choice|statement|answer)\b"
    r"|\b(?:option|choice|statement|answer)s?\s+(?:above|below)\b"
)
_BANNED_OPTION = re.compile(
    r"\b(?:all|none|any|both|neither|either)\s+of\s+(?:the\s+)?(?:above|these|those|options)\b"
    r"|\b(?:both|neither)\s+\(?[A-H]\)?\s+(?:and|nor)\s+\(?[A-H]\)?\b|^\(?[A-H]\)?\s+and\s+\(?[A-H]\)?\.?$",
    re.IGNORECASE,
)


def explanation(
    fields: Fields, grounds: Grounds, fill: Callable[[str], str] = lambda text: text, *, length: Length = WHOLE
) -> Explanation:
    """Return the `why` and `see` of a mapping, its faults reported; `fill` puts numbers into a text."""
    why, see = fields.text("why"), fields.text("see")
    if why:
        count, sentences = word_count(why), sentence_count(why)
        if not _is_within(count, length.words):
            fields.fault("why", f"has {count} words; an explanation here has {_spelt(length.words)}")
        if not _is_within(sentences, length.sentences):
            fields.fault("why", f"has {sentences} sentences; an explanation here has {_spelt(length.sentences)}")
        named = _NAMES_AN_OPTION.search(_without_maths(why))
        if named:
            fields.fault("why", f"says {named.group()!r}, but options have no fixed place; say what it claims")
        check_markup(fields, grounds, "why", fill(why))
    if see and see not in grounds.sections:
        fields.fault("see", f"{see!r} is no section of the card {grounds.concept_id}")
    return Explanation(why=why, see=see)


def cause(fields: Fields, grounds: Grounds, *, required: bool) -> Cause | None:
    """Return the misconception or slip that a mapping names, its faults reported."""
    misconception, slip = fields.text("misconception", required=False), fields.text("slip", required=False)
    if misconception and slip:
        fields.fault("slip", "stands beside a misconception; a wrong answer has one cause")
    if not misconception and not slip:
        if required:
            fields.fault("misconception", "is missing: what is wrong names a misconception or a slip")
        return None
    key, identifier = ("misconception", misconception) if misconception else ("slip", slip)
    found = grounds.causes.get(identifier)
    if found is None or found.is_slip != (key == "slip"):
        fields.fault(key, f"{identifier!r} is not a {key} that misconceptions.yaml knows")
        return None
    return found


def offered(fields: Fields, grounds: Grounds, noun: str, others: Mapping[str, str]) -> tuple[str, str]:
    """Return the `id` and `text` of something a learner is offered, its faults reported; `others` holds those so far.

    `noun` is what its question calls it, such as option or step.
    """
    identifier, text = fields.text("id"), fields.text("text")
    if text:
        check_option(fields, "text", text)
        check_markup(fields, grounds, "text", text, inline=True)
    check_told_apart(fields, noun, (identifier, text), others)
    return identifier, text


def check_told_apart(
    fields: Fields, noun: str, one: tuple[str, str], others: Mapping[str, str], *, key: str = "text"
) -> None:
    """Report an id, or what stands under `key`, that is another's already; `others` are texts by id."""
    if one[0] and one[0] in others:
        fields.fault("id", f"{one[0]!r} is the id of another {noun} too")
    if one[1] and one[1] in others.values():
        fields.fault(key, f"says the same as another {noun}")


def check_option(fields: Fields, name: str, text: str) -> None:
    """Report an option that has no explanation of its own, being about other options."""
    banned = _BANNED_OPTION.search(_without_maths(text))
    if banned:
        fields.fault(name, f"says {banned.group()!r}: an option about other options cannot explain itself")


def check_markup(fields: Fields, grounds: Grounds, name: str, text: str, *, inline: bool = False) -> None:
    """Report a text that cannot be set, such as one with a broken formula."""
    try:
        grounds.rendered.check(text, inline=inline)
    except MarkupError as error:
        for fault in error.faults:
            fields.fault(name, f"line {fault.line} of this text: {fault.reason}")


def word_count(text: str) -> int:
    """Return how many words a reader meets; a formula, a placeholder or a piece of code counts as one."""
    return len(_WORD.findall(_without_maths(text)))


def sentence_count(text: str) -> int:
    """Return how many sentences a text has."""
    return len(_SENTENCE_END.findall(_ABBREVIATIONS.sub("", _without_maths(text))))


def long_words(text: str) -> frozenset[str]:
    """Return the words that carry the meaning of a text: those of five letters or more, formulas left out."""
    return frozenset(re.findall(r"[a-z]{5,}", _without_maths(text).replace("formula", "").lower()))


def visible_length(text: str) -> int:
    """Return about how many characters a reader sees: a TeX command counts as one, braces and marks as none."""
    return len(re.sub(r"[$`*_{}^\\]", "", re.sub(r"\\[A-Za-z]+\s*", "#", text)).strip())


def _is_within(count: int, bounds: tuple[int, int]) -> bool:
    return bounds[0] <= count <= bounds[1]


def _spelt(bounds: tuple[int, int]) -> str:
    return f"{bounds[0]} to {bounds[1]}"


def _without_maths(text: str) -> str:
    # A formula that ends a sentence keeps its full stop, which stands outside the dollars.
    for pattern in (_MATHS, _CODE, _PLACEHOLDER):
        text = pattern.sub("formula", text)
    return text
