"""The product's addresses and the bare views that its pages are measured against."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def bare(request: HttpRequest) -> HttpResponse:
    """Answer with two letters: what is left is the cost of the server and of every middleware."""
    return HttpResponse("ok")


def signed_in(request: HttpRequest) -> HttpResponse:
    """Answer whoever is signed in: what is added is the cost of knowing who asks."""
    return HttpResponse("ok" if request.user.is_authenticated else "who?")


urlpatterns = [path("bench/bare/", bare), path("bench/signed-in/", signed_in), path("", include("courseware.urls"))]
