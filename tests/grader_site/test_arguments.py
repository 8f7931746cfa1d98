"""Arguments that are no arrays, such as an axis or a window, on the pages of an exercise."""

import pytest
from django.urls import reverse

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("slug", "name", "value"), [("softmax", "axis", "0"), ("causal-attention", "window", "2")])
def test_example_shows_the_plain_argument_that_it_gives(client, slug, name, value):
    page = client.get(reverse("exercise", args=[slug])).content.decode()

    assert f"<dt>{name}</dt><dd>{value}</dd>" in page


def test_example_that_leaves_a_default_alone_does_not_show_it(client):
    page = client.get(reverse("exercise", args=["causal-attention"])).content.decode()

    assert page.count("<dt>V</dt>") == 2
    assert page.count("<dt>window</dt>") == 1
