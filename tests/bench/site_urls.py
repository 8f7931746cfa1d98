"""The product's addresses and the bare views that its pages are measured against."""

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.http import require_POST

from courseware.accounts.models import AuditEntry


def bare(request: HttpRequest) -> HttpResponse:
    """Answer with two letters: what is left is the cost of the server and of every middleware."""
    return HttpResponse("ok")


def signed_in(request: HttpRequest) -> HttpResponse:
    """Answer whoever is signed in: what is added is the cost of knowing who asks."""
    return HttpResponse("ok" if request.user.is_authenticated else "who?")


@login_required
@require_POST
def one_row(request: HttpRequest) -> HttpResponse:
    """Insert one row in one transaction: the least that keeping anything for a learner can cost."""
    with transaction.atomic():
        entry = AuditEntry.objects.create(who=request.user, verb="bench", what=request.POST["what"], after="row")
    return JsonResponse({"row": entry.pk})


urlpatterns = [
    path("bench/bare/", bare),
    path("bench/signed-in/", signed_in),
    path("bench/one-row/", one_row),
    path("", include("courseware.urls")),
]
