"""Numbers as people type them, and as pages show them.

One rule for reading: a single comma or point is the decimal mark, and what could be read in two ways is not guessed
but refused with both readings. A fraction and a percentage are numbers too. Pure.
"""

import re
import unicodedata
from decimal import ROUND_HALF_UP, Decimal

from quizzes.expressions import Number
from quizzes.questions import Unreadable

_SMALLEST, _LARGEST = Decimal("1e-300"), Decimal("1e300")  # well inside what a float holds, in which keys are computed
_SHOWN_DIGITS = 12  # more than a calculator's display has
MAX_CHARACTERS = 60  # more than any answer needs; a paste of a whole column is not one number

_MINUS_SIGNS = "\u2212\uff0d\ufe63\u2013\u2010\u2011"  # minus, full-width, small, en dash, hyphens: all are pasted
_MARKS = {
    **dict.fromkeys(_MINUS_SIGNS, "-"),
    **dict.fromkeys("\u2044\u2215\uff0f", "/"),  # fraction slash, division slash, full-width
    **dict.fromkeys("\uff05\u066a", "%"),
    "\uff0b": "+",
    "\uff0e": ".",
    "\uff0c": ",",
    "\u066b": ".",
}
_NUMBER = re.compile(
    r"(?P<sign>[+-]?)(?P<digits>\d[\d.,]*|[.,]\d+)(?:e(?P<exponent>[+-]?\d{1,3}))?", re.ASCII | re.IGNORECASE
)
_HINT = "Write digits with a decimal comma or point, such as 0.25, 0,25 or 2.5e-3, or a fraction such as 3/8."


def read_number(text: str, unit: str = "") -> Decimal | Unreadable | None:
    """Return the number that a text spells, None for blanks, or why it cannot be read.

    Units:   the question's own unit may follow the number, and a percent sign divides by 100; others are refused
    Errors:  never raises; NaN, infinities and what does not fit a float are unreadable
    """
    if not text.strip():
        return None
    if len(text) > MAX_CHARACTERS:
        return Unreadable(f"That is longer than {MAX_CHARACTERS} characters, so it is not read as one number. {_HINT}")
    typed = text.strip()
    plain = _without_unit(_ascii(text), unit)
    percent = plain.endswith("%")  # after the question's own unit is gone, which may be percent itself
    parts = (plain[:-1] if percent else plain).split("/")
    if len(parts) > 2:
        return Unreadable(f"“{typed}” has more than one fraction bar. Write one fraction, such as 3/8.")
    numbers = []
    for part in parts:
        number = _decimal(part.strip())
        if isinstance(number, Unreadable):
            return number
        if number is None:
            return Unreadable(f"“{typed}” is not read as a number. {_HINT}")
        numbers.append(number)
    if len(numbers) == 2 and numbers[1] == 0:
        return Unreadable(f"“{typed}” divides by zero, which gives no number.")
    # A quotient keeps 28 digits, far more than any tolerance can tell apart.
    value = numbers[0] / numbers[1] if len(numbers) == 2 else numbers[0]
    value = value / 100 if percent else value
    if value != 0 and not _SMALLEST <= abs(value) <= _LARGEST:
        return Unreadable("That number is too large or too small to be compared. Check the exponent.")
    return value


def read_as(value: Decimal) -> str:
    """Return in words for a receipt what a text was read as; what has no end in decimals is cut and says so."""
    if len(value.as_tuple().digits) <= _SHOWN_DIGITS:
        return spell(value, None)
    return f"about {spell(Decimal(f'{value:.{_SHOWN_DIGITS}g}'), None)}"


def spell(value: Number | Decimal, decimals: int | None, *, fixed: bool = False, minus: str = "−") -> str:
    """Return a number rounded half up to so many decimals; trailing zeros are kept only if `fixed`.

    None decimals shows the number as it is. A value that rounding would turn to 0 keeps two digits instead.
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(value))
    if exact == exact.to_integral_value() and not fixed:
        text = f"{exact.to_integral_value():f}"
    elif decimals is None:
        text = f"{exact.normalize():f}"
    else:
        rounded = exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)
        if rounded == 0 and exact != 0:
            text = f"{exact:.1e}"
        else:
            text = f"{rounded:f}" if fixed else f"{rounded.normalize():f}"
    return text.replace("-", minus)


def _ascii(text: str) -> str:
    characters = []
    for character in text:
        if character in _MARKS:
            characters.append(_MARKS[character])
        elif character.isdecimal():  # digits of any script; superscripts are none, so 10² is not read as 102
            characters.append(str(unicodedata.decimal(character)))
        else:
            characters.append(" " if character.isspace() else character)
    return "".join(characters).strip()


def _without_unit(text: str, unit: str) -> str:
    if unit and text.casefold().endswith(unit.casefold()):
        return text[: len(text) - len(unit)].rstrip()
    return text


def _decimal(text: str) -> Decimal | Unreadable | None:
    """Return the number that digits, marks and an exponent spell, None if they spell none."""
    joined = _without_spaces(text)
    match = _NUMBER.fullmatch(joined) if joined is not None else None
    if match is None:
        return None
    digits = _decimal_point(match["digits"])
    if digits is None or isinstance(digits, Unreadable):
        return digits
    return Decimal(f"{match['sign']}{digits}e{match['exponent'] or 0}")


def _without_spaces(text: str) -> str | None:
    """Return the text without its spaces, or None if one of them does not group digits by three."""
    text = re.sub(r"^([+-])\s+", r"\1", text)
    text = re.sub(r"\s*([eE])\s*([+-]?)\s*(?=\d)", r"\1\2", text)
    if " " not in text:
        return text
    grouped = re.fullmatch(r"([+-]?\d{1,3})((?: \d{3})+)([.,]\d+)?([eE].*)?", text, re.ASCII)
    return text.replace(" ", "") if grouped else None


def _decimal_point(digits: str) -> str | Unreadable | None:
    """Return the digits with a point as the only mark; Unreadable where two readings are possible."""
    commas, points = digits.count(","), digits.count(".")
    if re.fullmatch(r"[1-9]\d{0,2},\d{3}", digits):
        whole, part = digits.split(",")
        as_part = f"{whole}.{part}".rstrip("0").rstrip(".")
        return Unreadable(
            f"{digits} can be read as {as_part} or as {whole}{part}. Write {whole}.{part} or {whole}{part}."
        )
    if commas + points <= 1:
        return digits.replace(",", ".")
    if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d*)?", digits):
        return digits.replace(",", "")
    if re.fullmatch(r"\d{1,3}(\.\d{3})+(,\d*)?", digits):
        return digits.replace(".", "").replace(",", ".")
    return None
