"""Formulas in words: the label that a screen reader speaks for a display formula.

Pure, and ignorant of MathML. `speak` reads what a formula means where it can ("root over", "transpose", "times")
and never fails for an unknown command: it then says the command's name. Whether TeX is valid is not its business.
"""

import re
from dataclasses import dataclass, field

from courseware.concepts.speech_words import ACCENTS, FONTS, GREEK, NAMES, SILENT, WORDS

MAX_DEPTH = 30  # Python allows about 1,000 nested calls, and no authored formula goes deeper than 6


class TooDeep(ValueError):
    """A formula is nested too deeply to be read, or to be converted without risk."""


@dataclass(frozen=True)
class _Part:
    """A piece of a formula in words, with what its neighbours must know of it."""

    words: str
    kind: str  # atom, name, bracket, operator, pause, text
    scripts: tuple[str, ...] = field(default=())


def speak(tex: str) -> str:
    """Return a formula in words, such as "softmax of Q K transpose over root d k, times V"."""
    reader = _Reader(_tokens(tex))
    words = _join(reader.parts(0, frozenset()))
    return re.sub(r"\s+", " ", words).replace(" ,", ",").replace(",,", ",").strip(" ,")


def _tokens(tex: str) -> list[str]:
    # Text arguments are one piece each: their spaces count, and a symbol inside them is none.
    pattern = (
        r"\\(?:text|textbf|textit|texttt|mbox)\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[a-zA-Z]+\*?\}"
        r"|\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|[^\s]"
    )
    return re.findall(pattern, tex, re.DOTALL)


class _Reader:
    """A recursive reader of TeX tokens."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0

    def parts(self, depth: int, closing: frozenset[str]) -> list[_Part]:
        """Read parts until one of the closing tokens, which is consumed, or the end."""
        if depth > MAX_DEPTH:
            raise TooDeep(f"is nested more than {MAX_DEPTH} levels deep")
        found: list[_Part] = []
        while self.at < len(self.tokens):
            piece = self.tokens[self.at]
            if piece in closing:
                self.at += 1
                break
            self.at += 1
            if piece in ("^", "_") or piece == "'":
                base = found.pop() if found else _Part("", "atom")
                found.append(self._scripted(base, piece, depth))
                continue
            part = self._part(piece, depth)
            if part.words or part.kind == "pause":
                found.append(part)
        return found

    def _part(self, piece: str, depth: int) -> _Part:
        if piece == "{":
            inner = self.parts(depth + 1, frozenset("}"))
            return inner[0] if len(inner) == 1 else _Part(_join(inner), "atom")
        if piece in ("(", "[") or piece in (r"\{", r"\lbrace", r"\langle", r"\lVert", r"\lvert", r"\lfloor", r"\lceil"):
            return self._bracket(piece, depth)
        if piece in (r"\left", r"\bigl", r"\Bigl", r"\biggl", r"\Biggl"):
            return self._sized(piece, depth)
        if piece.startswith((r"\text", r"\mbox")):
            return _Part(piece[piece.index("{") + 1 : -1].strip() if "{" in piece else "", "text")
        if piece.startswith(r"\begin"):
            return self._environment(piece, depth)
        if piece.startswith("\\") and len(piece) > 1:
            return self._command(piece[1:], depth)
        if piece == "&":
            return _Part("", "silent")
        if piece in WORDS:
            return _Part(WORDS[piece], "pause" if piece in ",;" else "operator")
        return _Part(piece, "atom")

    def _command(self, name: str, depth: int) -> _Part:
        if name in SILENT:
            return _Part("", "silent")
        if name in ("quad", "qquad", "\\"):
            return _Part(",", "pause")
        if name in ("frac", "dfrac", "tfrac"):
            top, bottom = self._argument(depth), self._argument(depth)
            return _Part(f"{_grouped(top)} over {_grouped(bottom)}", "fraction")
        if name == "binom":
            return _Part(f"{self._words(depth)} choose {self._words(depth)}", "atom")
        if name == "sqrt":
            return self._root(depth)
        if name in ("mathrm", "operatorname", "mathsf", "mathtt", "mathit"):
            return self._name(depth)
        if name in FONTS:
            word = FONTS[name]
            return _Part(f"{word} {self._words(depth)}".strip(), "atom")
        if name in ACCENTS:
            return _Part(f"{self._words(depth)} {ACCENTS[name]}", "atom")
        if name in ("underbrace", "overbrace"):
            return _Part(self._words(depth), "atom", ("brace",))
        if name in NAMES:
            return _Part(NAMES[name], "name")
        if name in GREEK:
            return _Part(GREEK[name], "atom")
        if "\\" + name in WORDS:
            return _Part(WORDS["\\" + name], "operator")
        return _Part(name, "atom")

    def _root(self, depth: int) -> _Part:
        index = ""
        if self.at < len(self.tokens) and self.tokens[self.at] == "[":
            self.at += 1
            index = _join(self.parts(depth + 1, frozenset("]")))
        radicand = self._argument(depth)
        kind = {"": "root", "2": "root", "3": "cube root of"}.get(index, f"root of order {index} of")
        if len(radicand) <= 1:
            return _Part(f"{kind} {_join(radicand)}", "atom")
        return _Part(f"{kind} of {_join(radicand)},".replace("of of", "of"), "atom")

    def _name(self, depth: int) -> _Part:
        parts = self._argument(depth)
        letters = "".join(part.words for part in parts)
        return _Part(letters, "name" if len(letters) > 1 else "atom")

    def _bracket(self, opening: str, depth: int) -> _Part:
        pairs = {
            "(": (")", "]"), "[": ("]", ")"), r"\{": (r"\}",), r"\lbrace": (r"\rbrace",), r"\langle": (r"\rangle",),
            r"\lVert": (r"\rVert",), r"\lvert": (r"\rvert",), r"\lfloor": (r"\rfloor",), r"\lceil": (r"\rceil",),
        }  # fmt: skip
        return self._enclosed(opening, self.parts(depth + 1, frozenset(pairs[opening])))

    def _sized(self, size: str, depth: int) -> _Part:
        opening = self.tokens[self.at] if self.at < len(self.tokens) else ""
        self.at += 1
        inner = self.parts(depth + 1, frozenset({size.replace("left", "right").replace("gl", "gr")}))
        self.at += 1  # the bracket after \right
        return self._enclosed(opening, inner)

    def _enclosed(self, opening: str, inner: list[_Part]) -> _Part:
        words = _join(inner)
        if opening in (r"\lVert", r"\|"):
            return _Part(f"the norm of {words},", "atom")
        if opening in (r"\lvert", "|"):
            return _Part(f"the size of {words},", "atom")
        if opening in (r"\{", r"\lbrace"):
            return _Part(f"the set {words},", "atom")
        if opening in (r"\lfloor", r"\lceil"):
            direction = "down" if opening == r"\lfloor" else "up"
            return _Part(f"{words} rounded {direction}", "atom")
        if opening == ".":
            return _Part(words, "atom")
        if any(part.kind == "pause" for part in inner):
            return _Part(words, "tuple")
        return _Part(words, "bracket")

    def _environment(self, piece: str, depth: int) -> _Part:
        name = piece[piece.index("{") + 1 : -1].rstrip("*")
        if name == "array" and self.at < len(self.tokens) and self.tokens[self.at] == "{":
            self.at += 1
            self.parts(depth + 1, frozenset("}"))  # the column letters
        end = next((i for i in range(self.at, len(self.tokens)) if self.tokens[i].startswith(r"\end")), None)
        body = self.tokens[self.at : end]
        self.at = len(self.tokens) if end is None else end + 1
        rows = []
        for row in _split(body, r"\\"):
            cells = [_join(_Reader(cell).parts(depth + 1, frozenset())) for cell in _split(row, "&")]
            rows.append((" " if name in ("aligned", "align", "split", "gathered") else ", ").join(filter(None, cells)))
        rows = [row for row in rows if row]
        if name == "cases":
            return _Part("either " + ", or ".join(rows), "atom")
        if name.endswith("matrix") or name == "array":
            label = "the matrix with rows" if len(rows) > 1 else "the row"
            return _Part(f"{label} {'; '.join(rows)};", "matrix")
        return _Part(", ".join(rows), "atom")

    def _argument(self, depth: int) -> list[_Part]:
        if self.at >= len(self.tokens):
            return []
        piece = self.tokens[self.at]
        self.at += 1
        if depth > MAX_DEPTH:
            raise TooDeep(f"is nested more than {MAX_DEPTH} levels deep")
        if piece == "{":
            return self.parts(depth + 1, frozenset("}"))
        return [self._part(piece, depth + 1)]

    def _words(self, depth: int) -> str:
        return _join(self._argument(depth))

    def _scripted(self, base: _Part, mark: str, depth: int) -> _Part:
        if mark == "'":
            return _Part(f"{base.words} prime", base.kind, (*base.scripts, "'"))
        words = self._words(depth)
        if "brace" in base.scripts:
            return _Part(f"{base.words}, which is {words},", "atom")
        if base.words in ("the sum", "the product"):
            link = "over" if mark == "_" else "to"
            words = words.replace(" equals ", " from ") if mark == "_" else words
            return (
                _Part(f"{base.words} {link} {words}", "operator", (*base.scripts, mark))
                if link == "over"
                else _Part(f"{base.words} to {words}", "operator", (*base.scripts, mark))
            )
        if mark == "_":
            link = "over" if base.kind == "name" else ""
            return _Part(f"{base.words} {link} {words}", base.kind, (*base.scripts, mark))
        return _Part(_powered(base, words), base.kind, (*base.scripts, mark))


def _powered(base: _Part, power: str) -> str:
    if power in ("transpose", "prime", "star"):
        return f"{base.words} {power}"
    if power in ("2", "3"):
        return f"{base.words} {'squared' if power == '2' else 'cubed'}"
    if base.words in ("the reals", "the whole numbers"):
        return f"{base.words}, {power.replace(' times ', ' by ')}"
    return f"{base.words} to the {power},"


def _grouped(parts: list[_Part]) -> str:
    """Return the words of one half of a fraction, marked as a whole where they could be misread."""
    words = _join(parts)
    if any(part.kind == "operator" and part.words in ("plus", "minus") for part in parts[1:]):
        return f"the whole of {words},"
    return words


def _join(parts: list[_Part]) -> str:
    words: list[str] = []
    before: _Part | None = None
    for part in parts:
        if part.kind == "silent" or not part.words:
            continue
        if part.kind in ("bracket", "tuple") and before is not None and before.kind == "name":
            words.append(f"of {part.words},")
        elif part.kind == "bracket" and len(parts) > 1:
            times = "times " if before is not None and before.kind not in ("operator", "pause") else ""
            words.append(f"{times}the quantity {part.words},")
        elif before is not None and before.kind in ("bracket", "tuple", "fraction") and part.kind not in (
            "operator", "pause", "text",
        ):  # fmt: skip
            words.append(f", times {part.words}")
        else:
            words.append(part.words)
        before = part
    return " ".join(words)


def _split(tokens: list[str], separator: str) -> list[list[str]]:
    rows: list[list[str]] = [[]]
    for piece in tokens:
        if piece == separator:
            rows.append([])
        else:
            rows[-1].append(piece)
    return rows
