"""Three addresses for machines: does the process answer, can it serve, what are the figures."""

import secrets

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courseware.operations import metrics as figures
from courseware.operations.probes import what_is_missing

PLAIN = "text/plain; charset=utf-8"


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answer that the process answers; it asks nobody else."""
    return HttpResponse("alive\n", content_type=PLAIN)


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:  # noqa: ARG001
    """Answer whether pages can be served; to strangers, what is missing has a name and no details."""
    missing = what_is_missing()
    if missing:
        return HttpResponse(f"missing: {', '.join(missing)}\n", content_type=PLAIN, status=503)
    return HttpResponse("ready\n", content_type=PLAIN)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the figures to whoever has the token; without a token in the settings there is no such page."""
    if not settings.METRICS_TOKEN:
        raise Http404("no metrics")
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not secrets.compare_digest(token.encode(), settings.METRICS_TOKEN.encode()):
        return HttpResponse(
            "A bearer token is asked for.\n", content_type=PLAIN, status=401, headers={"WWW-Authenticate": "Bearer"}
        )
    return HttpResponse(figures.page(), content_type=figures.CONTENT_TYPE)
