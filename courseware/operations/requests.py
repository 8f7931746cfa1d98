"""Two middlewares that stand first: one names and logs each request, one lets machines ask from inside.

Neither may ask the database: a request must have its line when the database is what failed.
"""

import logging
import re
import time
import uuid
from collections.abc import Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from courseware.accounts.models import User
from grader.log_lines import about

Answer = Callable[[HttpRequest], HttpResponse]

HEADER = "X-Request-ID"
# Asked by a health check or a collector from inside, which knows the machine's address and not the site's name.
FOR_MACHINES = frozenset({"/healthz", "/readyz", "/metrics"})
_WELL_FORMED = re.compile(r"[A-Za-z0-9._-]{8,64}")

logger = logging.getLogger("courseware.request")


def named_and_logged(answer: Answer) -> Answer:
    """Give each request an id, which every line written meanwhile carries and the answer's header repeats."""

    def answered(request: HttpRequest) -> HttpResponse:
        request_id = _id_of(request)
        began = time.perf_counter()
        with about(request=request_id):
            response = answer(request)
            # Probes ask every few seconds, and every page brings its files: only their bad news is news.
            if response.status_code >= 400 or not (request.path_info in FOR_MACHINES or _is_static(request)):
                logger.info("%s %s", request.method, response.status_code, extra={"facts": _facts(request, began)})
        response[HEADER] = request_id
        return response

    return answered


def asked_from_inside(answer: Answer) -> Answer:
    """Let the addresses for machines be asked under any host name; every other page still refuses a foreign one."""
    host = urlsplit(settings.SITE_URL).netloc

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path_info in FOR_MACHINES:
            request.META["HTTP_HOST"] = host
        return answer(request)

    return answered


def _id_of(request: HttpRequest) -> str:
    # Only a proxy of ours may name a request: anybody else could make two look like one.
    given = request.headers.get(HEADER, "") if settings.PROXY_COUNT else ""
    return given if _WELL_FORMED.fullmatch(given) else uuid.uuid4().hex


def _facts(request: HttpRequest, began: float) -> dict[str, object]:
    """Return what a line says of a request: its page by name, since a path may hold a secret, and ids of rows."""
    match = request.resolver_match
    facts: dict[str, object] = {
        "page": match.view_name if match else "static" if _is_static(request) else "none",
        "milliseconds": round((time.perf_counter() - began) * 1000),
    }
    for name, value in (match.kwargs if match else {}).items():
        if name in ("submission_id", "sitting_id"):
            facts[name.removesuffix("_id")] = value
    # The one whom the page asked for, where it did: `request.user` would ask the database now.
    user = getattr(request, "_cached_user", None)
    if isinstance(user, User):
        facts["user"] = user.uuid
    return facts


def _is_static(request: HttpRequest) -> bool:
    return request.path_info.startswith(settings.STATIC_URL)
