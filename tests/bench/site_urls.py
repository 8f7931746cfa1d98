"""The product's addresses and the bare views that its pages are measured against."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import RequestContext, Template
from django.urls import include, path
from django.views.decorators.http import require_POST

from courseware.accounts.access import cohort_for_staff
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


@login_required
def list_of_fifty(request: HttpRequest, cohort_id: int) -> HttpResponse:
    """The plain paginated list that teaching pages are measured against: fifty learners with address and section."""
    cohort = cohort_for_staff(request.user, cohort_id)
    page = Paginator(cohort.enrolments.select_related("user").order_by("user__name"), 50).get_page(1)
    return HttpResponse(Template(_LIST).render(RequestContext(request, {"here": "cohorts", "page": page})))


_LIST = """{% extends "base.html" %}{% block main %}<table>{% for each in page %}<tr><th>{{ each.user.name }}</th>
<td>{{ each.user.email }}</td><td>{{ each.section }}</td></tr>{% endfor %}</table>
{{ page.paginator.count }}{% endblock %}"""

urlpatterns = [
    path("bench/list/<int:cohort_id>/", list_of_fifty),
    path("bench/bare/", bare),
    path("bench/signed-in/", signed_in),
    path("bench/one-row/", one_row),
    path("", include("courseware.urls")),
]
