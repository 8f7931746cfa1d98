"""The pictures of a card stand where a learner meets what they show."""

import pytest
from django.urls import reverse

from tests.factories import make_learner

pytestmark = pytest.mark.django_db


def test_the_deep_dive_draws_the_mask_in_the_section_that_explains_it(signed_in):
    page = signed_in(make_learner()).get(reverse("card_deep", args=["causal-mask"])).content.decode()

    section = page[page.index('<section id="triangle"') : page.index('<section id="one-pass"')]
    assert section.count("<svg ") == section.count("<summary>The numbers</summary>") == 2
    assert "−∞" in section
    assert "<td>minus infinity</td>" in section
    assert page.count("<svg viewBox") == section.count("<svg viewBox")


def test_the_first_page_shows_that_later_words_get_nothing(signed_in):
    page = signed_in(make_learner()).get(reverse("card", args=["causal-mask"])).content.decode()

    assert (
        '<ruby class="w3 asks">took<rt>.26</rt></ruby> <ruby>a<rt>.00</rt></ruby> <ruby>taxi<rt>.00</rt></ruby>' in page
    )
