"""TeX cut into tokens, and the symbols that a formula uses. Pure; whether the TeX is valid is not its business."""

import re

_TOKEN = re.compile(
    # An argument that is text is one piece: its spaces count, and no letter in it is a symbol.
    r"\\(?:text|textbf|textit|texttt|mbox)\s*\{[^{}]*\}|\\(?:begin|end)\s*\{[a-zA-Z]+\*?\}"
    r"|\\[a-zA-Z]+|\\.|\d+(?:\.\d+)?|[^\s]",
    re.DOTALL,
)
_LETTERS = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi"
)
GREEK_LETTERS = (*_LETTERS.split(), "omega")
_GREEK = (
    {*GREEK_LETTERS}
    | {name.capitalize() for name in GREEK_LETTERS}
    | {f"var{name}" for name in ("epsilon", "theta", "phi", "rho", "sigma", "pi")}
    | {"ell"}
)
_NAMES = {r"\mathrm", r"\operatorname", r"\mathsf", r"\mathtt", r"\mathit"}


def tokens(tex: str) -> list[str]:
    """Return the tokens of a formula: commands, numbers, single characters, whole text arguments."""
    return _TOKEN.findall(tex.replace(r"\operatorname*", r"\operatorname"))


def symbols(tex: str) -> frozenset[str]:
    """Return the symbols of a formula, with their subscripts, such as {"d_k", "Q", "alpha"}.

    Names of two letters or more ("softmax", "Var"), sets in double-struck letters and Euler's number are none.
    """
    return frozenset(_symbols(tokens(tex)))


def undefined(formula: str, definitions: list[str]) -> list[str]:
    """Return the symbols of a formula that none of the defining formulas mentions, in alphabetical order.

    A symbol with letters below it is also defined where its base and each of those letters are: "$q$ … row $i$".
    """
    known: set[str] = set()
    for definition in definitions:
        known |= symbols(definition)
    bases = {symbol.split("_")[0] for symbol in known}
    missing = []
    for symbol in symbols(formula):
        base, _, below = symbol.partition("_")
        letters = re.findall(r"[A-Za-z]", below)
        if symbol not in known and not (base in bases and all(letter in known for letter in letters)):
            missing.append(symbol)
    return sorted(missing)


def _symbols(found: list[str]) -> list[str]:
    result: list[str] = []
    at = 0
    while at < len(found):
        piece = found[at]
        at += 1
        if piece in _NAMES or piece == r"\mathbb":
            name, at = argument(found, at)
            letters = "".join(name)
            if piece == r"\mathbb" or len(letters) != 1:
                continue
            piece = letters
        symbol = piece[1:] if piece.startswith("\\") and piece[1:] in _GREEK else piece
        if not (re.fullmatch(r"[^\W\d_]", symbol) or symbol in _GREEK):
            continue
        if symbol == "e" and at < len(found) and found[at] == "^":
            continue
        if at < len(found) and found[at] == "_":
            below, at = argument(found, at + 1)
            symbol += "_" + re.sub(r"\\(?:text|mathrm)|[{}\\\s,]", "", "".join(below))
        result.append(symbol)
    return result


def argument(found: list[str], at: int) -> tuple[list[str], int]:
    """Return the tokens of the argument that begins at a place, without its braces, and the place after it."""
    if at >= len(found):
        return [], at
    if found[at] != "{":
        return [found[at]], at + 1
    depth = 0
    for end in range(at, len(found)):
        depth += {"{": 1, "}": -1}.get(found[end], 0)
        if depth == 0:
            return found[at + 1 : end], end + 1
    return found[at + 1 :], len(found)
