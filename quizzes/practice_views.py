"""Pages of practice: what there is, one question, and its answer explained. They work without scripts."""

import uuid
from dataclasses import replace
from http import HTTPStatus

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseware.accounts.requests import SignedInRequest
from quizzes import practice, practice_lists, practice_pool, reports
from quizzes.practice import PosedForPractice
from quizzes.practice_lists import Practice
from quizzes.questions import Answer, Posed, Question, Unreadable
from quizzes.registry import kind_of


@login_required
@never_cache
@require_safe
def overview(request: SignedInRequest) -> HttpResponse:
    """All that can be practised, and how far the learner has come."""
    context = {"here": "practice", "overview": practice_lists.overview_of(request.user)}
    return render(request, "quizzes/practice.html", context)


@login_required
@never_cache
@require_safe
def of_concept(request: SignedInRequest, concept_id: str) -> HttpResponse:
    """The practice questions of one concept."""
    return _list(request, practice_lists.of_concept(request.user, concept_id))


@login_required
@never_cache
@require_safe
def of_idea(request: SignedInRequest, misconception_id: str) -> HttpResponse:
    """The practice questions in which one misconception leads astray."""
    return _list(request, practice_lists.of_idea(request.user, misconception_id))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: SignedInRequest, concept_id: str, slug: str) -> HttpResponse:
    """The next variant of one question; a POST keeps its answer, and leads to every explanation."""
    asked = practice_pool.question(f"{concept_id}/{slug}")
    if asked is None:
        raise Http404("no such practice question")
    if request.method == "POST":
        return _answered(request, asked)
    return _ask(request, practice.pose(request.user, asked))


@login_required
@never_cache
@require_safe
def answer(request: SignedInRequest, answer_id: uuid.UUID) -> HttpResponse:
    """One answer with every explanation, and what to go on with."""
    practised = practice.explained_answer(request.user, answer_id)
    if practised is None:
        raise Http404("no such answer")
    context = {
        "here": "practice",
        "practised": practised,
        "scope": _scope(request, practised.answer.concept_id),
        "can_report": reports.reading_cohort(request.user) is not None,
    }
    return render(request, "quizzes/practice_answer.html", context)


def _list(request: SignedInRequest, found: Practice | None) -> HttpResponse:
    if found is None:
        raise Http404("nothing of this name")
    return render(request, "quizzes/practice_list.html", {"here": "practice", "practice": found})


def _answered(request: SignedInRequest, asked: Question) -> HttpResponse:
    posted = dict(request.POST.lists())
    sent = request.POST.get("turn", "")
    number = int(sent) if sent.isdecimal() and len(sent) < 9 else 0
    posed = practice.pose(request.user, asked)
    if request.POST.get("version") != posed.version or not 1 <= number <= posed.number:
        messages.warning(request, "This question has changed since the page was loaded. Here is how it stands now.")
        return redirect(_here(request))
    variant = practice.variant_for(request.user, asked, number)
    given = kind_of(asked.kind).read(Posed(asked.task, variant), posted)
    if isinstance(given, Unreadable) and not given.given:  # nothing to correct in a field
        messages.warning(request, given.reason)
        return redirect(_here(request))
    if isinstance(given, Unreadable):
        posed = practice.pose(request.user, asked, Answer(given.given))
        posed = replace(posed, fault=given.reason, invalid=given.fields)
        return _ask(request, posed, HTTPStatus.UNPROCESSABLE_ENTITY)
    if "move" in request.POST:  # a button that changes the answer on the page, such as one that moves a step
        return _ask(request, practice.pose(request.user, asked, given))
    if given is None:
        messages.warning(request, "Nothing is answered yet. Answer first; then every option explains itself.")
        return redirect(_here(request))
    kept = practice.keep(request.user, asked, number, given)
    if kept is None:
        messages.warning(request, "Very many answers came within a minute. Wait a minute, then go on.")
        return redirect(_here(request))
    return redirect(reverse("practice_answer", args=[kept.pk]) + _trail(request))


def _ask(request: SignedInRequest, posed: PosedForPractice, status: int = HTTPStatus.OK) -> HttpResponse:
    context = {
        "here": "practice",
        "page": posed,
        "control": posed.shown.control,
        "scope": _scope(request, posed.question.concept_id),
        "trail": _trail(request),
    }
    return render(request, "quizzes/practice_question.html", context, status=status)


def _scope(request: SignedInRequest, concept_id: str) -> Practice | None:
    """Return what the learner is going through: the misconception that the address names, or else the concept."""
    idea = request.GET.get("idea", "")
    return (practice_lists.of_idea(request.user, idea) if idea else None) or practice_lists.of_concept(
        request.user, concept_id
    )


def _trail(request: HttpRequest) -> str:
    idea = request.GET.get("idea", "")
    return f"?{urlencode({'idea': idea})}" if idea else ""


def _here(request: HttpRequest) -> str:
    return request.path + _trail(request)
