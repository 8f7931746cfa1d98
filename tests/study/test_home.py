"""The home page: what is next for somebody."""

import pytest
from django.urls import reverse

from courseware.concepts import course
from tests.factories import make_learner

pytestmark = pytest.mark.django_db


def test_newcomer_is_told_where_to_begin_and_a_reader_where_they_were(signed_in):
    client = signed_in(make_learner())
    written = next(each for each in course.current().module.concepts if each.card)

    assert "<h1>Where to begin</h1>" in client.get(reverse("home")).content.decode()

    client.get(reverse("card", args=[written.id]))
    assert "<h1>Where you were</h1>" in client.get(reverse("home")).content.decode()
