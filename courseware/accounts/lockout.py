"""Whose failed sign-in it was: what the lockout counts by."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest


def name_tried(request: HttpRequest | None, credentials: Mapping[str, Any] | None = None) -> str:
    """Return the e-mail address somebody tried to sign in with, in the one form that all its spellings share.

    allauth hands axes the address as `email`, while the form that axes reads later calls it `login`. Without this,
    axes would see no name at all, and one learner's mistakes would lock out a whole classroom behind one address.
    """
    tried = (credentials or {}).get("email") or (credentials or {}).get("login")
    if not tried and request is not None:
        tried = request.POST.get("login", "")
    return str(tried or "").strip().lower()
