"""The page of keys: it lists those that the scripts listen to, works without scripts, and "?" opens it."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from tests.access.reading import Reading

STATIC = Path(settings.BASE_DIR) / "courseware" / "static"
NAMES = {"Mod": "Ctrl", "s": "S", "m": "M", "ArrowUp": "↑", "ArrowDown": "↓", "ArrowLeft": "←", "ArrowRight": "→"}


def _keys_in_scripts() -> set[str]:
    """Return every key that a script of ours names, as the page writes it."""
    found: set[str] = set()
    for script in (*(STATIC / "js").glob("*.js"), STATIC / "editor" / "editor.mjs"):
        text = script.read_text(encoding="utf-8")
        found |= {key for keys in re.findall(r'bind\("([\w-]+)"', text) for key in keys.split("-")}
        found |= set(re.findall(r'event\.key === "(\w|\?)"', text)) - {"M"}
        found |= set(re.findall(r"\b(Arrow\w+):", text))
    return {NAMES.get(key, key) for key in found}


@pytest.mark.django_db
def test_page_lists_every_key_that_scripts_listen_to():
    page = Client().get(reverse("keys")).content.decode()
    listed = set(re.findall(r"<kbd>(.+?)</kbd>", page))

    keys = _keys_in_scripts()

    assert {"Ctrl", "Shift", "Enter", "S", "M", "?", "↑"} <= keys
    assert keys - listed == set()
    assert Reading(page).title.startswith("Keys")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["account_login", "join", "keys", "account_reset_password"])
def test_foot_of_a_page_leads_there(name):
    page = Client().get(reverse(name)).content.decode()

    assert f'href="{reverse("keys")}" data-keys-help' in page.partition("<footer")[2]


@pytest.mark.journey
@pytest.mark.django_db(transaction=True)
def test_question_mark_opens_it_unless_it_is_typed_or_switched_off(chromium, live_server):
    context = chromium.new_context(base_url=live_server.url)
    page = context.new_page()
    page.goto(reverse("account_login"))

    page.get_by_label("E-mail address").press("?")
    expect(page.get_by_label("E-mail address")).to_have_value("?")
    page.get_by_label("E-mail address").blur()
    page.keyboard.press("?")
    expect(page).to_have_url(f"{live_server.url}{reverse('keys')}")
    page.get_by_role("button", name="Switch the keys off").click()
    page.go_back()
    page.keyboard.press("?")
    page.keyboard.press("Tab")  # had the key led anywhere, it would have done so by now

    expect(page).to_have_url(f"{live_server.url}{reverse('account_login')}")
    context.close()
