"""A middleware: every page is for the person who asked, so no cache on the way may hand it to somebody else."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control

Answer = Callable[[HttpRequest], HttpResponseBase]


def private_pages(answer: Answer) -> Answer:
    """Let nobody but the reader's own browser keep an answer, and that one ask again; a view may say more."""

    def answered(request: HttpRequest) -> HttpResponseBase:
        response = answer(request)
        if not response.has_header("Cache-Control"):
            # Not no-store: going back to an editor must find the text that was typed there.
            patch_cache_control(response, private=True, no_cache=True)
        return response

    return answered
