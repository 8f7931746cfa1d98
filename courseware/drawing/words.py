"""A sentence whose words carry the shares of attention that they get: text, so that it wraps, prints and is read aloud.

Pure. It draws what it is given and knows no model.
"""

import math
from collections.abc import Sequence
from html import escape

from courseware.drawing.safe_html import SafeHtml

ROUNDING = 0.02  # shares of a sentence are written with two decimals, so their sum may be off by a few hundredths

# From these shares on a word is tinted, in four steps.
_STEPS = ((0.40, "w4"), (0.20, "w3"), (0.10, "w2"), (0.05, "w1"))


def weights_over_words(
    words: Sequence[str], weights: Sequence[float], *, asks: int, title: str, caption: str
) -> SafeHtml:
    """Return a figure: each word with its share below it, tinted by the share; the word at `asks` is the query.

    Errors:  ValueError if there is not one share between 0 and 1 for each word, if the shares do not add up to 1,
             or if `asks` is no place in the sentence
    """
    if not words or len(words) != len(weights):
        raise ValueError(f"{len(words)} words have {len(weights)} weights; each word has one")
    if not all(0 <= weight <= 1 for weight in weights) or abs(math.fsum(weights) - 1) > ROUNDING:
        raise ValueError(f"weights lie between 0 and 1 and add up to 1, not to {math.fsum(weights):.2f}")
    if not 0 <= asks < len(words):
        raise ValueError(f"there is no word {asks} in a sentence of {len(words)}")
    shown = " ".join(
        _word(word, weight, is_asking=at == asks) for at, (word, weight) in enumerate(zip(words, weights, strict=True))
    )
    return SafeHtml(
        f'<figure><p class="lab">{escape(title)}</p><p class="weights">{shown}</p>'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
    )


def _word(word: str, weight: float, *, is_asking: bool) -> str:
    step = next((name for share, name in _STEPS if weight >= share), "")
    classes = " ".join(filter(None, (step, "asks" if is_asking else "")))
    named = f' class="{classes}"' if classes else ""
    share = f"{weight:.2f}".removeprefix("0")
    return f"<ruby{named}>{escape(word)}<rt>{share}</rt></ruby>"
