"""The pages that learners read: each checks who asks, composes what the other parts offer, and renders."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from courseware.accounts.requests import SignedInRequest
from courseware.concepts.course import current
from courseware.study.models import Depth
from courseware.study.overview import overview_of
from courseware.study.readings import note_reading
from courseware.study.state_of_site import state_of_site
from grader.catalogue import current_exercises
from quizzes import practice_lists, self_checks


@login_required
@require_safe
def home(request: SignedInRequest) -> HttpResponse:
    context = {
        "here": "home",
        "overview": overview_of(request.user),
        "practice": practice_lists.overview_of(request.user),
    }
    return render(request, "study/home.html", context)


@login_required
@require_safe
def module(request: SignedInRequest, module_id: str) -> HttpResponse:
    module = current().module
    if module_id != module.id:
        raise Http404("no such module")
    context = {"here": "concepts", "module": module, "overview": overview_of(request.user)}
    return render(request, "study/module.html", context)


@login_required
@require_safe
def card(request: SignedInRequest, concept_id: str, depth: Depth) -> HttpResponse:
    course = current()
    concept = course.concept(concept_id)
    if concept is None or concept.card is None:
        raise Http404("no such card")
    note_reading(request.user, course.module.id, concept.id, depth)
    concepts = course.module.concepts
    context = {
        "here": "concepts",
        "concept": concept,
        "card": concept.card,
        "depth": depth,
        "before": concepts[concept.number - 2] if concept.number > 1 else None,
        "after": concepts[concept.number] if concept.number < len(concepts) else None,
        "exercises": [each for each in current_exercises().values() if each.concept_id == concept.id],
    }
    if depth == Depth.FIVE:
        context["self_check"] = self_checks.for_card(request.user, concept.id)
        context["practice"] = practice_lists.progress_in(request.user, concept.id)
    return render(request, f"study/card_{depth}.html", context)


@login_required
@require_safe
def status(request: SignedInRequest) -> HttpResponse:
    return render(request, "study/status.html", {"here": "status", "site": state_of_site(request.user)})


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """List the keys that pages listen to, also to somebody who cannot sign in without them."""
    return render(request, "study/keys.html")
