"""Pages for what went wrong: what happened, what is safe, where to go."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


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


def broken(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answer when our code failed. The page asks nothing of the database, which may be what failed."""
    return render(None, "500.html", status=500)
