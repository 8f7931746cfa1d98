"""Formulas in words: the label that a screen reader speaks for a display formula.

Pure, and ignorant of MathML. `speak` says what a formula means where it can ("root", "transpose", "times") and never
fails for an unknown command: it then says the command's name. Whether TeX is valid is not its business.
"""

import re

from courseware.concepts.speech_parts import Part, enclosed, half, join, powered, whole
from courseware.concepts.speech_words import (
    ACCENTS,
    BOUND,
    EXPECTATIONS,
    FONTS,
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
_OPENINGS = frozenset({"(", "[", "{", r"\{", r"\left"})
_ENDINGS = frozenset({")", "]", "}", r"\}", r"\right"})


class TooDeep(ValueError):
    """A formula is nested too deeply to be read, or to be converted without risk."""


def speak(tex: str) -> str:
    """Return a formula in words, such as "softmax of Q K transpose over root d k, times V"."""
    words = join(_Reader(tokens(tex)).parts(0, ()))
    words = re.sub(r"\s*(?:,\s*)+", ", ", words)
    return re.sub(r"\s+", " ", words).strip(" ,")


class _Reader:
    """A recursive reader of TeX tokens, which it goes through once, from left to right."""

    def __init__(self, pieces: list[str]) -> None:
        self.pieces = pieces
        self.at = 0

    def parts(self, depth: int, closing: tuple[str, ...]) -> list[Part]:
        """Read parts until one of the closing tokens, which is consumed, or the end."""
        if depth > MAX_DEPTH:
            raise TooDeep(f"is nested more than {MAX_DEPTH} levels deep")
        found: list[Part] = []
        while (piece := self._next()) and piece not in closing:
            if piece in ("^", "_", "'"):
                base = found.pop() if found else Part("", "atom")
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

    def _bars_to_come(self) -> int:
        """Return how many bars follow before the brackets end in which the reader is.

        Bars come in pairs around a size, and alone in front of a condition.
        """
        level = bars = 0
        before = ""
        for piece in self.pieces[self.at :]:
            if before not in (r"\left", r"\right"):  # the bracket after these counts with them
                level += (piece in _OPENINGS) - (piece in _ENDINGS)
                if level < 0:
                    break
                bars += piece == "|" and level == 0
            before = piece
        return bars

    def _part(self, piece: str, depth: int) -> Part:
        if piece == "{":
            return whole(self.parts(depth + 1, ("}",)))
        if piece == "|" and self._bars_to_come() % 2:
            return enclosed(piece, self.parts(depth + 1, ("|",)))
        if piece in _CLOSING:
            return enclosed(piece, self.parts(depth + 1, _CLOSING[piece]))
        if piece == r"\left":
            opening = self._next()
            inner = self.parts(depth + 1, (r"\right",))
            self._next()  # the bracket after \right
            return enclosed(opening, inner)
        if piece.startswith((r"\text", r"\mbox")) and "{" in piece:
            return Part(piece[piece.index("{") + 1 : -1].strip(), "text")
        if piece.startswith(r"\begin{"):
            return self._environment(piece[7:-1].rstrip("*"), depth)
        if piece in WORDS:
            return Part(WORDS[piece], "pause" if WORDS[piece] == "," else "operator")
        if piece.startswith("\\"):
            return self._command(piece[1:], depth)
        if piece in ("&", "~"):
            return Part("", "pause")
        return Part(piece, "number" if piece[0].isdigit() else "atom")

    def _command(self, name: str, depth: int) -> Part:
        if name in SILENT:
            return Part("", "pause")
        if name in ("frac", "dfrac", "tfrac"):
            top, bottom = self._argument(depth), self._argument(depth)
            return Part(f"{half(top)} over {half(bottom)}", "fraction")
        if name in ("underset", "overset"):
            below, base = self._words(depth), self._words(depth)
            return Part(f"{base} over {below}", "name", True)
        if name == "binom":
            return Part(f"{self._words(depth)} choose {self._words(depth)}", "atom")
        if name == "sqrt":
            return self._root(depth)
        if name in ("mathrm", "operatorname", "mathsf", "mathtt", "mathit"):
            letters = "".join(part.words for part in self._argument(depth)).replace("underscore", " ")
            return Part(letters, "name" if len(letters) > 1 else "atom")
        if name == "mathbb":
            letter = self._words(depth)
            if letter in EXPECTATIONS:
                return Part(EXPECTATIONS[letter], "name")
            return Part(SETS[letter], "set") if letter in SETS else Part(f"double-struck {letter}", "atom")
        if name in FONTS:
            return Part(f"{FONTS[name]} {self._words(depth)}", "atom")
        if name in ACCENTS:
            return Part(f"{self._words(depth)} {ACCENTS[name]}", "atom")
        if name in ("underbrace", "overbrace"):
            return Part(self._words(depth), "brace")
        if name in SUMS:
            return Part(SUMS[name], "sum")
        if name in NAMES:
            return Part(NAMES[name], "name")
        return Part(GREEK.get(name, name), "atom")

    def _root(self, depth: int) -> Part:
        kind = "root"
        if self._peek() == "[":
            self._next()
            kind = f"root of order {join(self.parts(depth + 1, (']',)))} of"
        radicand = self._argument(depth)
        if len(radicand) <= 1:
            return Part(f"{kind} {join(radicand)}", "atom")
        return Part(f"{kind.removesuffix(' of')} of {join(radicand)},", "atom")

    def _environment(self, name: str, depth: int) -> Part:
        if name == "array":
            self._argument(depth)  # the letters that align its columns
        body = self._until_end()
        link = " " if name in ("aligned", "align", "split", "gathered") else ", "
        rows = []
        for row in _split(body, "\\\\"):
            cells = (join(_Reader(cell).parts(depth + 1, ())) for cell in _split(row, "&"))
            rows.append(link.join(cell for cell in cells if cell))
        rows = [row for row in rows if row]
        if name == "cases":
            return Part("either " + ", or ".join(rows), "atom")
        if name.endswith("matrix") or name == "array":
            label = "the matrix with rows" if len(rows) > 1 else "the row"
            return Part(f"{label} {'; '.join(rows)},", "fraction")
        return Part(", ".join(rows), "atom")

    def _until_end(self) -> list[str]:
        """Return the tokens up to the end of the environment that was begun, which is consumed."""
        begin, level = self.at, 1
        while level and self.at < len(self.pieces):
            level += _step(self._next())
        return self.pieces[begin : self.at - 1] if level == 0 else self.pieces[begin:]

    def _argument(self, depth: int) -> list[Part]:
        if depth >= MAX_DEPTH:
            raise TooDeep(f"is nested more than {MAX_DEPTH} levels deep")
        piece = self._next()
        if piece == "{":
            return self.parts(depth + 1, ("}",))
        if len(piece) > 1 and piece[0].isdigit():  # without braces TeX takes one digit: a half is \frac12
            self.at -= 1
            self.pieces = [*self.pieces[: self.at], piece[1:], *self.pieces[self.at + 1 :]]
            return [Part(piece[0], "number")]
        return [self._part(piece, depth + 1)] if piece else []

    def _words(self, depth: int) -> str:
        return join(self._argument(depth))

    def _scripted(self, base: Part, mark: str, depth: int) -> Part:
        if mark == "'":
            return Part(f"{base.words} prime", base.kind, True)
        script = self._argument(depth)
        words = join(script).removeprefix("is ").replace(" such that ", " to ")
        if base.kind == "brace":
            return Part(f"{base.words}, which is {words},", "atom")
        if base.kind == "sum":
            link = "over" if mark == "_" else "to"
            return Part(f"{base.words} {link} {words.replace(' equals ', ' from ')}", "sum", True)
        if base.kind == "set":
            return Part(f"{base.words}, {words.replace(' times ', ' by ')}", "set", True)
        if mark == "_":
            return Part(f"{base.words} {BOUND.get(base.words, '')} {words}", base.kind, base.words in BOUND)
        raised = f"{base.words}," if base.kind == "bracket" else base.words  # all of it is raised
        return Part(powered(raised, script, words), base.kind, True)


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
