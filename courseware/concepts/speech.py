"""Formulas in words: the label that a screen reader speaks for a display formula.

Pure, and ignorant of MathML. `speak` says what a formula means where it can ("root", "transpose", "times") and never
fails for an unknown command: it then says the command's name. Whether TeX is valid is not its business.
"""

import re
from dataclasses import dataclass

from courseware.concepts.speech_words import (
    ACCENTS,
    EXPECTATIONS,
    FONTS,
    FUNCTION_LETTERS,
    GREEK,
    NAMES,
    SETS,
    SILENT,
    SUMS,
    WORDS,
)
from courseware.concepts.tex import tokens

MAX_DEPTH = 30  # Python allows about 1,000 nested calls; no authored formula goes deeper than 6

_CLOSING = {"(": (")", "]"), "[": ("]", ")"), r"\{": (r"\}",)}
_CLOSING |= {rf"\l{name}": (rf"\r{name}",) for name in ("brace", "angle", "Vert", "vert", "floor", "ceil")}
_ENCLOSED = {r"\lVert": "the norm of {},", r"\|": "the norm of {},", r"\lvert": "the size of {},",
             "|": "the size of {},", r"\{": "the set of {},", r"\lbrace": "the set of {},",
             r"\lfloor": "{} rounded down", r"\lceil": "{} rounded up"}  # fmt: skip


class TooDeep(ValueError):
    """A formula is nested too deeply to be read, or to be converted without risk."""


@dataclass(frozen=True)
class _Part:
    """A piece of a formula in words, with what its neighbours must know of it."""

    words: str
    kind: str  # atom, number, name, sum, set, bracket, tuple, fraction, operator, pause, text, brace
    has_script: bool = False


def speak(tex: str) -> str:
    """Return a formula in words, such as "softmax of Q K transpose over root d k, times V"."""
    words = _join(_Reader(tokens(tex)).parts(0, ()))
    words = re.sub(r"\s*(?:,\s*)+", ", ", words)
    return re.sub(r"\s+", " ", words).strip(" ,")


class _Reader:
    """A recursive reader of TeX tokens, which it goes through once, from left to right."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces = pieces
        self.at = 0

    def parts(self, depth: int, closing: tuple[str, ...]) -> list[_Part]:
        """Read parts until one of the closing tokens, which is consumed, or the end."""
        if depth > MAX_DEPTH:
            raise TooDeep(f"is nested more than {MAX_DEPTH} levels deep")
        found: list[_Part] = []
        while (piece := self._next()) and piece not in closing:
            if piece in ("^", "_", "'"):
                base = found.pop() if found else _Part("", "atom")
                found.append(self._scripted(base, piece, depth))
            else:
                part = self._part(piece, depth)
                if part.words:
                    found.append(part)
        return found

    def _next(self) -> str:
        piece = self.pieces[self.at] if self.at < len(self.pieces) else ""
        self.at += 1
        return piece

    def _peek(self) -> str:
        return self.pieces[self.at] if self.at < len(self.pieces) else ""

    def _part(self, piece: str, depth: int) -> _Part:
        if piece == "{":
            return _whole(self.parts(depth + 1, ("}",)))
        if piece in _CLOSING:
            return _enclosed(piece, self.parts(depth + 1, _CLOSING[piece]))
        if piece == r"\left":
            opening = self._next()
            inner = self.parts(depth + 1, (r"\right",))
            self._next()  # the bracket after \right
            return _enclosed(opening, inner)
        if piece.startswith((r"\text", r"\mbox")) and "{" in piece:
            return _Part(piece[piece.index("{") + 1 : -1].strip(), "text")
        if piece.startswith(r"\begin{"):
            return self._environment(piece[7:-1].rstrip("*"), depth)
        if piece in WORDS:
            return _Part(WORDS[piece], "pause" if WORDS[piece] == "," else "operator")
        if piece.startswith("\\"):
            return self._command(piece[1:], depth)
        if piece in ("&", "~"):
            return _Part("", "pause")
        return _Part(piece, "number" if piece[0].isdigit() else "atom")

    def _command(self, name: str, depth: int) -> _Part:
        if name in SILENT:
            return _Part("", "pause")
        if name in ("frac", "dfrac", "tfrac"):
            top, bottom = self._argument(depth), self._argument(depth)
            return _Part(f"{_half(top)} over {_half(bottom)}", "fraction")
        if name == "binom":
            return _Part(f"{self._words(depth)} choose {self._words(depth)}", "atom")
        if name == "sqrt":
            return self._root(depth)
        if name in ("mathrm", "operatorname", "mathsf", "mathtt", "mathit"):
            letters = "".join(part.words for part in self._argument(depth))
            return _Part(letters, "name" if len(letters) > 1 else "atom")
        if name == "mathbb":
            letter = self._words(depth)
            if letter in EXPECTATIONS:
                return _Part(EXPECTATIONS[letter], "name")
            return _Part(SETS[letter], "set") if letter in SETS else _Part(f"double-struck {letter}", "atom")
        if name in FONTS:
            return _Part(f"{FONTS[name]} {self._words(depth)}", "atom")
        if name in ACCENTS:
            return _Part(f"{self._words(depth)} {ACCENTS[name]}", "atom")
        if name in ("underbrace", "overbrace"):
            return _Part(self._words(depth), "brace")
        if name in SUMS:
            return _Part(SUMS[name], "sum")
        if name in NAMES:
            return _Part(NAMES[name], "name")
        return _Part(GREEK.get(name, name), "atom")

    def _root(self, depth: int) -> _Part:
        kind = "root"
        if self._peek() == "[":
            self._next()
            kind = f"root of order {_join(self.parts(depth + 1, (']',)))} of"
        radicand = self._argument(depth)
        if len(radicand) <= 1:
            return _Part(f"{kind} {_join(radicand)}", "atom")
        return _Part(f"{kind.removesuffix(' of')} of {_join(radicand)},", "atom")

    def _environment(self, name: str, depth: int) -> _Part:
        if name == "array":
            self._argument(depth)  # the letters that align its columns
        body = self._until_end()
        link = " " if name in ("aligned", "align", "split", "gathered") else ", "
        rows = []
        for row in _split(body, "\\\\"):
            cells = (_join(_Reader(cell).parts(depth + 1, ())) for cell in _split(row, "&"))
            rows.append(link.join(cell for cell in cells if cell))
        rows = [row for row in rows if row]
        if name == "cases":
            return _Part("either " + ", or ".join(rows), "atom")
        if name.endswith("matrix") or name == "array":
            label = "the matrix with rows" if len(rows) > 1 else "the row"
            return _Part(f"{label} {'; '.join(rows)},", "fraction")
        return _Part(", ".join(rows), "atom")

    def _until_end(self) -> list[str]:
        """Return the tokens up to the end of the environment that was begun, which is consumed."""
        begin, level = self.at, 1
        while level and self.at < len(self.pieces):
            level += _step(self._next())
        return self.pieces[begin : self.at - 1] if level == 0 else self.pieces[begin:]

    def _argument(self, depth: int) -> list[_Part]:
        if depth >= MAX_DEPTH:
            raise TooDeep(f"is nested more than {MAX_DEPTH} levels deep")
        piece = self._next()
        if piece == "{":
            return self.parts(depth + 1, ("}",))
        return [self._part(piece, depth + 1)] if piece else []

    def _words(self, depth: int) -> str:
        return _join(self._argument(depth))

    def _scripted(self, base: _Part, mark: str, depth: int) -> _Part:
        if mark == "'":
            return _Part(f"{base.words} prime", base.kind, True)
        script = self._argument(depth)
        words = _join(script)
        if base.kind == "brace":
            return _Part(f"{base.words}, which is {words},", "atom")
        if base.kind == "sum":
            link = "over" if mark == "_" else "to"
            return _Part(f"{base.words} {link} {words.replace(' equals ', ' from ')}", "sum", True)
        if base.kind == "set":
            return _Part(f"{base.words}, {words.replace(' times ', ' by ')}", "set", True)
        if mark == "_":
            return _Part(f"{base.words}{' over' if base.kind == 'name' else ''} {words}", base.kind, True)
        return _Part(_powered(base.words, script, words), base.kind, True)


def _whole(parts: list[_Part]) -> _Part:
    if [part.words for part in parts] == [","]:
        return _Part("", "pause")  # {,} divides thousands
    return parts[0] if len(parts) == 1 else _Part(_join(parts), "atom")


def _enclosed(opening: str, inner: list[_Part]) -> _Part:
    words = _join(inner)
    if opening in _ENCLOSED:
        return _Part(_ENCLOSED[opening].format(words), "atom")
    if opening == ".":
        return _Part(words, "atom")
    return _Part(words, "tuple" if any(part.words == "," for part in inner) else "bracket")


def _powered(base: str, script: list[_Part], words: str) -> str:
    if words in ("transpose", "prime", "star"):
        return f"{base} {words}"
    if words in ("2", "3"):
        return f"{base} {'squared' if words == '2' else 'cubed'}"
    if len(script) == 1 and (script[0].kind in ("bracket", "text", "name") or re.fullmatch("[A-Z]", words)):
        return f"{base} super {words}"  # a label that stands high, not a power
    return f"{base} to the {words},"


def _half(parts: list[_Part]) -> str:
    """Return the words of one half of a fraction, marked as a whole where they could be misread."""
    words = _join(parts)
    is_sum = any(part.words in ("plus", "minus") for part in parts[1:])
    return f"the whole of {words}," if is_sum else words


def _join(parts: list[_Part]) -> str:
    words: list[str] = []
    before = _Part("", "pause")
    for at, part in enumerate(parts):
        is_joined = before.kind not in ("operator", "pause", "text")  # nothing stands between this part and the last
        is_applied = before.kind == "name" or before.words.removesuffix(" prime") in FUNCTION_LETTERS
        if part.kind in ("bracket", "tuple") and is_applied:
            words.append(f"of {part.words},")
        elif part.kind == "bracket" and len(parts) > 1:
            words.append(f"{', times ' if is_joined else ''}the quantity {part.words},")
        elif part.kind in ("operator", "pause", "text"):
            is_product = part.words == "dot" and before.kind == "number" and parts[at + 1 : at + 2]
            words.append("times" if is_product else part.words)
        elif before.kind == "sum" or (before.kind == "name" and before.has_script):
            words.append(f"of {part.words}")
        elif before.kind in ("bracket", "tuple", "fraction"):
            words.append(f", times {part.words}")
        else:
            words.append(part.words)
        before = part
    return " ".join(words)


def _split(pieces: list[str], separator: str) -> list[list[str]]:
    """Return the pieces between separators; those of an environment inside, or inside braces, are its own."""
    rows: list[list[str]] = [[]]
    level = 0
    for piece in pieces:
        level += _step(piece)
        if piece == separator and level == 0:
            rows.append([])
        else:
            rows[-1].append(piece)
    return rows


def _step(piece: str) -> int:
    """Return 1 for a token that begins something that ends by itself, -1 for one that ends it, else 0."""
    return piece.startswith((r"\begin{", "{")) - piece.startswith((r"\end{", "}"))
