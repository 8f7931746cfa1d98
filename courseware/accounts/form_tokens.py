"""The token of a page's forms: Django's, masked with one number drawn in place of 32, and no cookie where there is one.

Every page has the form that signs out, so every page pays for it. Whether a token is right is for Django's own
middleware to say.
"""

import secrets

from django.http import HttpRequest
from django.middleware.csrf import CSRF_ALLOWED_CHARS, CSRF_SECRET_LENGTH

_BASE = len(CSRF_ALLOWED_CHARS)
_MASKS = _BASE**CSRF_SECRET_LENGTH
_PLACES = {character: place for place, character in enumerate(CSRF_ALLOWED_CHARS)}


def form_token(request: HttpRequest) -> dict[str, str]:
    """Return a token for templates, where the browser has a secret, in place of Django's own.

    Django renews the cookie, which lasts a year, with every token. Signing in renews it as well, and lasts a fortnight.
    """
    secret = request.META.get("CSRF_COOKIE")  # which the middleware found well-formed
    return {} if secret is None else {"csrf_token": _masked(secret)}


def _masked(secret: str) -> str:
    """Return a secret that looks different on each page, since whoever can watch a page's length might guess it."""
    drawn = secrets.randbelow(_MASKS)
    mask, cipher = [], []
    for character in secret:
        drawn, place = divmod(drawn, _BASE)
        mask.append(CSRF_ALLOWED_CHARS[place])
        cipher.append(CSRF_ALLOWED_CHARS[(_PLACES[character] + place) % _BASE])
    return "".join(mask + cipher)
