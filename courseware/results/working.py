"""Says that something takes a while before it is begun, so that nobody looks at a page that does not come."""

from django.http import HttpResponse
from django.shortcuts import render

from courseware.accounts.models import Cohort
from courseware.accounts.requests import SignedInRequest

NOW = "now"  # in the address of the page that does the work


def is_to_begin(request: SignedInRequest) -> bool:
    """Tell whether the reader was told already."""
    return NOW in request.GET


def working(request: SignedInRequest, cohort: Cohort, *, title: str, words: str) -> HttpResponse:
    """Return a page that says so and leads on to the one that was asked for."""
    asked = request.GET.copy()
    asked[NOW] = "1"
    address = f"{request.path}?{asked.urlencode()}"
    context = {"here": "cohorts", "cohort": cohort, "title": title, "words": words, "address": address}
    return render(request, "results/working.html", context)
