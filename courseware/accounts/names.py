"""What somebody or something may be called: any script, any mark, but nothing that hides or reorders text."""

import unicodedata

from django.core.exceptions import ValidationError

# Overrides of writing direction turn the text around a name about; U+200C and U+200D stay, which several scripts need.
_TURNING = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_BREAKING = frozenset({"Cc", "Cs", "Zl", "Zp"})  # control characters, halves of pairs, breaks of lines and paragraphs


def tidy(name: str) -> str:
    """Return a name in one normal form, with single spaces between its words."""
    return " ".join(word for word in unicodedata.normalize("NFC", name).split(" ") if word)


def readable(name: str) -> None:
    """Pass a name that can be read and shown anywhere.

    Errors:  ValidationError if it holds control characters, or no letter and no digit
    """
    if any(character in _TURNING or unicodedata.category(character) in _BREAKING for character in name):
        raise ValidationError("A name may not hold control characters or line breaks. Type it instead of pasting it.")
    if not any(unicodedata.category(character)[0] in "LN" for character in name):
        raise ValidationError("A name needs at least one letter or digit.")
