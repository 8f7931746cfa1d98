"""The pages of exercises and submissions: each checks who asks, calls one verb or one query, and renders."""

import uuid

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.views.decorators.http import require_POST, require_safe

from courseware.accounts.requests import SignedInRequest
from grader import drafts, pages, submissions, words
from grader.catalogue import current_exercises
from grader.exercises import Exercise
from grader.models import Draft, Kind, Submission
from grader.sources import Refused
from grader.waiting import stages


@login_required
@require_safe
def exercises(request: SignedInRequest) -> HttpResponse:
    return render(request, "grader/exercises.html", {"here": "exercises", "groups": pages.exercise_list(request.user)})


@login_required
@require_safe
def exercise(request: SignedInRequest, slug: str) -> HttpResponse:
    return _exercise_page(request, _exercise_or_404(slug))


@login_required
@require_POST
def draft_save(request: SignedInRequest, slug: str) -> HttpResponseBase:
    """Save, reset or replace the draft; answers with JSON where a script asks, with a page otherwise."""
    exercise = _exercise_or_404(slug)
    try:
        draft = _change_draft(request, exercise)
    except (Refused, drafts.TwoVersions) as refusal:
        return _not_saved(request, exercise, refusal)
    if request.accepts("text/html"):
        return redirect("exercise", slug=slug)
    return JsonResponse({"revision": draft.revision, "saved": words.clock(draft.saved_at)})


@login_required
@require_POST
def submit(request: SignedInRequest, slug: str) -> HttpResponse:
    exercise = _exercise_or_404(slug)
    kind = Kind.RUN if request.POST.get("kind") == Kind.RUN else Kind.SUBMIT
    source = request.POST.get("source", "")
    try:
        drafts.keep_draft(request.user, exercise, source=source, revision=_revision(request))
        submission = submissions.submit(request.user, exercise, kind=kind, source=source)
    except Refused as refusal:
        return _exercise_page(request, exercise, editor=_editor_as_posted(request, exercise, refusal.sentence))
    return redirect("submission", submission_id=submission.pk)


@login_required
@require_safe
def submission(request: SignedInRequest, submission_id: uuid.UUID) -> HttpResponse:
    page = pages.submission_page(_submission_or_404(request, submission_id), reader=request.user)
    return render(request, "grader/submission.html", {"here": "exercises", "page": page})


@login_required
@require_safe
def submission_status(request: SignedInRequest, submission_id: uuid.UUID) -> HttpResponse:
    """Return how far it is to a script that watches; once there is a verdict it asks for the page instead."""
    submission = _submission_or_404(request, submission_id)
    if not submission.is_live:
        return JsonResponse({"final": True})
    html = render_to_string("grader/_stages.html", {"stages": stages(submission)})
    found = render_to_string("grader/_found.html", {"found": submission.checks})
    return JsonResponse({"final": False, "html": html, "found": found})


@login_required
@require_POST
def submission_cancel(request: SignedInRequest, submission_id: uuid.UUID) -> HttpResponse:
    submissions.cancel(_submission_or_404(request, submission_id))
    return redirect("submission", submission_id=submission_id)


def _exercise_or_404(slug: str) -> Exercise:
    try:
        return current_exercises()[slug]
    except KeyError:
        raise Http404("no such exercise") from None


def _submission_or_404(request: SignedInRequest, submission_id: uuid.UUID) -> Submission:
    submission = pages.submission_of(request.user, submission_id)
    if submission is None:
        raise Http404("no such submission")
    return submission


def _revision(request: SignedInRequest) -> int:
    """Return the revision that the page was opened with; 0, which matches no stored one, where it is not a number."""
    given = request.POST.get("revision", "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 10 else 0


def _change_draft(request: SignedInRequest, exercise: Exercise) -> Draft:
    drafts.check_pace(request.user)
    source = request.POST.get("source", "")
    match request.POST.get("action"):
        case "reset":
            drafts.keep_draft(request.user, exercise, source=source, revision=_revision(request))
            return drafts.begin_draft(request.user, exercise, source=exercise.starter)
        case "replace":  # the learner chose this text over the stored one
            return drafts.begin_draft(request.user, exercise, source=source)
        case _:
            return drafts.save_draft(request.user, exercise, source=source, revision=_revision(request))


def _not_saved(request: SignedInRequest, exercise: Exercise, refusal: Refused | drafts.TwoVersions) -> HttpResponseBase:
    stored = refusal.stored if isinstance(refusal, drafts.TwoVersions) else None
    sentence = "" if isinstance(refusal, drafts.TwoVersions) else refusal.sentence
    if request.accepts("text/html"):
        return _exercise_page(request, exercise, editor=_editor_as_posted(request, exercise, sentence, other=stored))
    # Status 200 throughout: to the script these are answers, and a browser reports any other status as an error.
    if stored is None:
        return JsonResponse({"refused": sentence})
    other = {"revision": stored.revision, "saved": words.clock(stored.saved_at), "source": stored.source}
    return JsonResponse({"other": other})


def _editor_as_posted(
    request: SignedInRequest, exercise: Exercise, notice: str, *, other: Draft | None = None
) -> pages.Editor:
    source = request.POST.get("source", "")
    return pages.Editor(exercise, source, _revision(request), None, notice=notice, other=other)


def _exercise_page(request: SignedInRequest, exercise: Exercise, *, editor: pages.Editor | None = None) -> HttpResponse:
    page = pages.exercise_page(request.user, exercise, editor=editor)
    return render(request, "grader/exercise.html", {"here": "exercises", "page": page})
