"""Teaching pages: each first checks that the cohort is one the person teaches, then shows what its learners did."""

import uuid

from django.contrib.auth.decorators import login_required
from django.db.models import Count, Q
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courseware.accounts.access import cohort_for_staff, instructs, learner_of
from courseware.accounts.models import Cohort, Enrolment, Role
from courseware.accounts.requests import SignedInRequest
from courseware.results.learners import record_of
from courseware.results.programs import difference
from grader.models import Submission
from grader.pages import submission_page
from quizzes.closing import close_due_in
from quizzes.feedback import EVERYTHING, policy_of
from quizzes.models import Sitting
from quizzes.review import review_of


@login_required
@never_cache
@require_safe
def cohorts(request: SignedInRequest) -> HttpResponse:
    teaches = Enrolment.objects.active().staff().filter(user=request.user)
    is_learner = Q(enrolments__role=Role.LEARNER, enrolments__withdrawn_at=None)
    found = Cohort.objects.filter(pk__in=teaches.values("cohort")).annotate(
        learners=Count("enrolments", filter=is_learner)
    )
    return render(request, "results/cohorts.html", {"here": "cohorts", "cohorts": found.order_by("name")})


@login_required
@never_cache
@require_safe
def learner(request: SignedInRequest, cohort_id: int, user_uuid: uuid.UUID) -> HttpResponse:
    cohort = _cohort_for_staff(request, cohort_id)
    record = record_of(learner_of(cohort, user_uuid))
    context = {"here": "cohorts", "cohort": cohort, "record": record, "instructs": instructs(request.user, cohort)}
    return render(request, "results/learner.html", context)


@login_required
@never_cache
@require_safe
def sitting(request: SignedInRequest, cohort_id: int, sitting_id: uuid.UUID) -> HttpResponse:
    cohort = _cohort_for_staff(request, cohort_id)
    sittings = Sitting.objects.filter(assignment__cohort=cohort).select_related("assignment__cohort", "enrolment__user")
    found = sittings.closed().filter(pk=sitting_id).first()
    if found is None:
        raise Http404("no such sitting, or it is still open")
    as_learner = request.GET.get("as") == "learner"
    seen = policy_of(found).visible(found, timezone.now()) if as_learner else EVERYTHING
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "learner": found.enrolment.user,
        "review": review_of(found, seen),
        "as_learner": as_learner,
    }
    return render(request, "results/sitting.html", context)


@login_required
@never_cache
@require_safe
def submission(request: SignedInRequest, cohort_id: int, submission_id: uuid.UUID) -> HttpResponse:
    cohort = _cohort_for_staff(request, cohort_id)
    learners = Enrolment.objects.learners().filter(cohort=cohort).values("user")
    found = Submission.objects.filter(pk=submission_id, user__in=learners).select_related("user").first()
    if found is None:
        raise Http404("no such submission")
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "learner": found.user,
        "page": submission_page(found, reader=request.user),
        "difference": difference(found),
    }
    return render(request, "results/submission.html", context)


def _cohort_for_staff(request: SignedInRequest, cohort_id: int) -> Cohort:
    """Return a cohort as it stands now: with every sitting closed whose time is up."""
    cohort = cohort_for_staff(request.user, cohort_id)
    close_due_in(cohort)
    return cohort
