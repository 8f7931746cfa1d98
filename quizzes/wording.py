"""When two typed texts say the same: what a short answer is compared by. Pure.

Signs that look alike are made one, and what a writer may add or leave out is taken away. A minus sign stays, for
without it −1 would be 1; so does the place of an exponent, for n² is not n2.
"""

import re
import unicodedata

_DASHES = re.compile("[\u002d\u058a\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63\uff0d]")
_SINGLE_QUOTES = re.compile("[\u2018-\u201b\u2032\u00b4`]")
_DOUBLE_QUOTES = re.compile('["\u201c-\u201f\u2033\u00ab\u00bb\u2039\u203a]')
_SUPERSCRIPT = re.compile("[⁰¹²³⁴-⁹]+")
_LETTER = r"[^\W\d_]"
# Between two words a dash joins; after a single letter and before a number it subtracts, as in n-1.
_HYPHEN = re.compile(
    rf"(?<={_LETTER})\s*-\s*(?={_LETTER})|(?<={_LETTER}{{2}})-(?=\d)|(?<=\d)-(?={_LETTER}{{2}})",
)
_UNSEEN = ("Cc", "Cf", "Cs")  # categories of characters without a shape: controls, marks of direction, half characters


def tidied(text: str) -> str:
    """Return a text as it was typed, on one line and without characters that nobody sees."""
    line = " ".join(text.split())
    return " ".join("".join(sign for sign in line if unicodedata.category(sign) not in _UNSEEN).split())


def folded(text: str) -> str:
    """Return what is left of a text once every difference that means nothing is gone; equal results are one answer."""
    text = _DASHES.sub("-", _SINGLE_QUOTES.sub("'", _DOUBLE_QUOTES.sub("", tidied(text))))
    text = _SUPERSCRIPT.sub(lambda power: f"^{power.group()}", text)
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    # The bar of ½ is a sign of its own, and the small letter of a Turkish İ keeps its dot as another.
    text = text.replace("\u2044", "/").replace("i\u0307", "i")
    text = "".join(_HYPHEN.sub("", text).split())
    if len(text) > 1 and text[0] == text[-1] == "'":
        text = text[1:-1]
    return text.rstrip(".")
