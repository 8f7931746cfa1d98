"""What somebody with a second factor does, as tests say it."""

import re

from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.contrib.auth import get_user
from django.test import Client
from django.urls import reverse

from courseware.accounts.models import User
from tests.factories import PASSWORD

NOON = 1_795_953_600  # a whole multiple of the 30 seconds that a code lives


def code_of(secret: str, *, steps: int = 0) -> str:
    return format_hotp_value(hotp_value(secret, NOON // 30 + steps))


def confirm(client: Client, then: str, password: str = PASSWORD):
    return client.post(f"{reverse('account_reauthenticate')}?next={then}", {"password": password})


def turn_on(client: Client) -> tuple[str, list[str]]:
    """Turn the second factor on as its page does; return the secret and the recovery codes."""
    path = reverse("mfa_activate_totp")
    confirm(client, path)
    secret = re.search(r'class="id secret">(\w+)<', client.get(path).content.decode())[1]
    answer = client.post(path, {"code": code_of(secret)})
    assert answer.url == reverse("mfa_view_recovery_codes")
    return secret, re.findall(r"<li>(\d{8})</li>", client.get(answer.url).content.decode())


def give_password(client: Client, user: User, **more):
    return client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD, **more})


def give_code(client: Client, given: str):
    return client.post(reverse("mfa_authenticate"), {"code": given})


def is_in(client: Client) -> bool:
    return get_user(client).is_authenticated
