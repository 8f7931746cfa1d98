"""The product's addresses and the bare view that its pages are measured against."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def bare(request: HttpRequest) -> HttpResponse:
    """Answer with two letters: what is left is the cost of the server and of every middleware."""
    return HttpResponse("ok")


urlpatterns = [path("bench/bare/", bare), path("", include("courseware.urls"))]
