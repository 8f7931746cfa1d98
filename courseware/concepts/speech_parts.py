"""The pieces of a formula in words, and how they are joined to a sentence.

Pure, and ignorant of TeX: the reader of formulas says what each piece is, and here it shows what a bracket means
beside its neighbours.
"""

import re
from dataclasses import dataclass

from courseware.concepts.speech_words import FUNCTION_LETTERS

_ENCLOSED = {r"\lVert": "the norm of {},", r"\|": "the norm of {},", r"\lvert": "the size of {},",
             "|": "the size of {},", r"\{": "the set of {},", r"\lbrace": "the set of {},",
             r"\lfloor": "{} rounded down", r"\lceil": "{} rounded up"}  # fmt: skip


# What a bracket holds says what it is for: one symbol, several things, a condition, or a sum or product.
_BRACKETS = frozenset({"bracket", "tuple", "symbol", "condition"})


@dataclass(frozen=True)
class Part:
    """A piece of a formula in words, with what its neighbours must know of it."""

    words: str
    kind: str  # atom, number, name, sum, set, fraction, operator, pause, text, brace, or one of those in brackets
    has_script: bool = False


def whole(parts: list[Part]) -> Part:
    if [part.words for part in parts] == [","]:
        return Part("", "pause")  # {,} divides thousands
    return parts[0] if len(parts) == 1 else Part(join(parts), "atom")


def enclosed(opening: str, inner: list[Part]) -> Part:
    words = join(inner)
    if opening in _ENCLOSED:
        return Part(_ENCLOSED[opening].format(words), "atom")
    if opening == ".":
        return Part(words, "atom")
    if any(part.words == "given" for part in inner):
        return Part(words, "condition")
    if any(part.words == "," for part in inner):
        return Part(words, "tuple")
    return Part(words, "symbol" if [part.kind for part in inner] in (["atom"], ["name"]) else "bracket")


def powered(base: str, script: list[Part], words: str) -> str:
    if script and script[0].kind in _BRACKETS and len(script) > 1:
        return f"{base} to the power of {words},"
    if words in ("transpose", "prime", "star"):
        return f"{base} {words}"
    if words in ("2", "3"):
        return f"{base} {'squared' if words == '2' else 'cubed'}"
    if len(script) == 1 and (script[0].kind in {*_BRACKETS, "text", "name"} or re.fullmatch("[A-Z]", words)):
        return f"{base} super {words}"  # a label that stands high, not a power
    return f"{base} to the {words},"


def half(parts: list[Part]) -> str:
    """Return the words of one half of a fraction, marked as a whole where they could be misread."""
    words = join(parts)
    is_sum = any(part.words in ("plus", "minus") for part in parts[1:])
    return f"the whole of {words}," if is_sum else words


def join(parts: list[Part]) -> str:
    words: list[str] = []
    before = Part("", "pause")
    for at, part in enumerate(parts):
        is_joined = before.kind not in ("operator", "pause", "text")  # nothing stands between this part and the last
        if part.kind in _BRACKETS and _is_applied(before, part):
            words.append(f"of {part.words},")
        elif part.kind == "tuple" and is_joined:
            words.append(f", times the row {part.words},")
        elif part.kind in _BRACKETS - {"tuple"} and len(parts) > 1:
            link = "of " if before.kind == "sum" else ", times " if is_joined else ""
            words.append(f"{link}the quantity {part.words},")
        elif part.kind in ("operator", "pause", "text"):
            is_product = part.words == "dot" and before.kind == "number" and parts[at + 1 : at + 2]
            is_colon = part.words == "such that" and before.kind == "text"
            words.append("times" if is_product else "," if is_colon else part.words)
        elif before.kind == "sum" or (before.kind == "name" and before.has_script):
            words.append(f"of {part.words}")
        elif before.kind in {*_BRACKETS, "fraction"}:
            words.append(f", times {part.words}")
        else:
            words.append(part.words)
        before = part
    return " ".join(words)


def _is_applied(before: Part, bracket: Part) -> bool:
    """Tell whether a bracket holds what something is applied to, and is no factor.

    A letter in front of one symbol, or of several, is a function: nobody puts the x of a product into brackets.
    """
    letter = before.words.removesuffix(" prime")
    if before.kind == "name" or letter in FUNCTION_LETTERS:
        return True
    if before.kind != "atom" or bracket.kind == "bracket":
        return False
    return bracket.kind == "condition" or " " not in letter.removeprefix("capital ")
