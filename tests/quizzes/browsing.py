"""What a browser without scripts does with a page: finds addresses, reads forms, posts them."""

import re

from django.urls import reverse

from quizzes.models import Sitting


def address(name: str, sitting: Sitting, *more) -> str:
    return reverse(name, args=[sitting.pk, *more])


def form_of(response) -> dict[str, str]:
    """The hidden fields of the answer form, as a browser would post them."""
    html = response.content.decode()
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', html))


def place_of(slot, option_id: str) -> str:
    return str(1 + slot.option_order.index(option_id))


def as_script(browser, url, fields):
    return browser.post(url, fields, headers={"Accept": "application/json"})
