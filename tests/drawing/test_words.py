"""A sentence shows how its words share one query's attention."""

import pytest

from courseware.drawing.words import weights_over_words


def draw(words=("it", "was", "full"), weights=(0.2, 0.1, 0.7), **options):
    return weights_over_words(words, weights, **{"asks": 0, "title": "Where?", "caption": "Made up.", **options})


def test_each_word_has_its_share_in_text_and_in_tint():
    assert draw() == (
        '<figure><p class="lab">Where?</p><p class="weights"><ruby class="w3 asks">it<rt>.20</rt></ruby> '
        '<ruby class="w2">was<rt>.10</rt></ruby> <ruby class="w4">full<rt>.70</rt></ruby></p>'
        "<figcaption>Made up.</figcaption></figure>"
    )


def test_words_are_escaped():
    assert "<b>" not in draw(words=("<b>", "&", "x"), title="<b>", caption="<b>")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"weights": (0.5, 0.5)}, "3 words have 2 weights"),
        ({"words": (), "weights": ()}, "0 words"),
        ({"weights": (0.2, 0.1, 0.6)}, "not to 0.90"),
        ({"weights": (1.2, -0.2, 0.0)}, "between 0 and 1"),
        ({"weights": (float("nan"), 0.5, 0.5)}, "between 0 and 1"),
        ({"asks": 3}, "no word 3"),
    ],
)
def test_shares_that_are_none_are_refused(change, reason):
    with pytest.raises(ValueError, match=reason):
        draw(**change)
