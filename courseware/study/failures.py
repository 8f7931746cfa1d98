"""Pages for what went wrong: what happened, what is safe, where to go."""

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

RETRY_SECONDS = 60  # a disk is seldom given room, or a server started again, any sooner
# What is typed to prove who somebody is stands in no page, not even in their own: they type such a form again.
_SECRET_FIELDS = ("password", "code")


def form_is_old(request: HttpRequest, reason: str = "") -> HttpResponse:  # noqa: ARG001
    """Answer a form whose token no longer fits: signed out meanwhile, or the page lay open for weeks."""
    return render(request, "form_is_old.html", status=403)


def unreadable(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    """Answer a request that is too large, damaged, or for another host."""
    return render(request, "400.html", status=400)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return render(request, "403.html", status=403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:  # noqa: ARG001
    return render(request, "404.html", status=404)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer when our code failed, or the database did. The page asks nothing of the database."""
    if isinstance(sys.exception(), OperationalError | InterfaceError):
        return _without_database(request)
    return render(None, "500.html", status=500)


def _without_database(request: HttpRequest) -> HttpResponse:
    """Answer while the database is away or its disk is full: what was sent comes back in a form that sends it again."""
    fields = [(name, value) for name, values in request.POST.lists() for value in values]
    if any(word in name for word in _SECRET_FIELDS for name in request.POST):
        fields = []
    address = request.get_full_path() if request.method in ("GET", "HEAD", "POST") else "/"
    # Nothing is given as the request: rendering with one would ask who is signed in.
    page = render(None, "503.html", {"fields": fields, "address": address}, status=503)
    page["Retry-After"] = str(RETRY_SECONDS)
    return page
