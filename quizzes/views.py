"""Pages of tests and self-checks: each finds what belongs to the person who asks, calls one verb and answers.

Works without scripts; `sitting.js` posts the same forms and asks for JSON.
"""

import uuid
from collections.abc import Callable
from http import HTTPStatus
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from courseware.accounts.models import User
from courseware.accounts.requests import SignedInRequest
from quizzes import feedback, final_answers, progress, question_page, self_checks, sittings
from quizzes.catalogue import current_bank
from quizzes.judged_questions import reviewed, stored_of
from quizzes.models import Response, Sitting
from quizzes.moments import clock
from quizzes.opening import open_sitting
from quizzes.outcomes import Refusal, RefusalReason
from quizzes.question_page import Asked
from quizzes.questions import Answer, Posed, Unreadable
from quizzes.registry import kind_of
from quizzes.review import review_of
from quizzes.sittings import Recorded, Sent


@login_required
@never_cache
@require_safe
def assignments(request: SignedInRequest) -> HttpResponse:
    """The tests of this learner and how they stand in each."""
    return render(request, "quizzes/assignments.html", {"here": "test", "standings": progress.standings(request.user)})


@login_required
@never_cache
@require_safe
def assignment(request: SignedInRequest, assignment_id: int) -> HttpResponse:
    """The cover of one test: what it is, before anything starts."""
    standing = _standing_or_404(request, assignment_id)
    blueprint = current_bank().blueprints.get(standing.assignment.blueprint)
    context = {"here": "test", "standing": standing, "blueprint": blueprint}
    return render(request, "quizzes/assignment.html", context)


@login_required
@require_POST
def sitting_open(request: SignedInRequest, assignment_id: int) -> HttpResponse:
    """Start or continue: both lead to the first question that is open."""
    place = progress.place(request.user, assignment_id)
    if place is None:
        raise Http404("not a learner of a cohort with such a test")
    assignment, enrolment = place
    sitting = open_sitting(enrolment, assignment)
    if isinstance(sitting, Refusal):
        messages.warning(request, sitting.sentence)
        return redirect("assignment", assignment_id)
    still_open = progress.first_open(sitting)
    return redirect("question", sitting.pk, still_open) if still_open else redirect("hand_in", sitting.pk)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def question(request: SignedInRequest, sitting_id: uuid.UUID, position: int) -> HttpResponse:
    """One question of an open sitting; a POST saves its answer and goes on."""
    if request.method == "POST":
        return _save(request, sitting_id, position)
    asked = _asked_or_404(request, sitting_id, position)
    if asked.sitting.is_closed:
        return redirect("review", sitting_id)
    left = request.GET.get("left", "")
    page = question_page.question_page(asked, left=int(left) if left.isdecimal() and len(left) < 5 else None)
    return _question_response(request, asked, page)


@login_required
@require_POST
def question_flag(request: SignedInRequest, sitting_id: uuid.UUID, position: int) -> HttpResponse:
    """Mark a question to look at again, or take the mark away; an answer that came along is saved too."""
    asked = _asked_or_404(request, sitting_id, position)
    refusal = sittings.flag(sitting_id, position, flagged=request.POST.get("flagged") == "1")
    if refusal is not None:
        return _refused(request, asked, refusal)
    if "revision" in request.POST:
        return _save(request, sitting_id, position, stays=True)
    return redirect("question", sitting_id, position)


@login_required
@require_POST
def question_final(request: SignedInRequest, sitting_id: uuid.UUID, position: int) -> HttpResponse:
    """Make an answer final where the test shows something at once; the question's page then shows it."""
    if not feedback.answers_become_final(_sitting_or_404(request, sitting_id).assignment):
        raise Http404("no answer of this test is final before hand-in")
    return _save(request, sitting_id, position, stays=True, record=final_answers.make_final)


@login_required
@never_cache
@require_safe
def sitting_time(request: SignedInRequest, sitting_id: uuid.UUID) -> JsonResponse:
    """How much time is left; a page that is open asks, so that more time reaches it."""
    return JsonResponse(question_page.time_message(_sitting_or_404(request, sitting_id)))


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def hand_in(request: SignedInRequest, sitting_id: uuid.UUID) -> HttpResponse:
    """What is answered, open and marked; a POST makes it final."""
    sitting = _sitting_or_404(request, sitting_id)
    if request.method == "POST" and not sitting.is_closed:
        sitting = sittings.hand_in(sitting_id)
        messages.success(request, _handed_in(sitting))
    if sitting.is_closed:
        return redirect("review", sitting_id)
    context = {
        "here": "test",
        "sitting": sitting,
        "progress": progress.progress(sitting),
        "promise": feedback.policy_of(sitting).promise,
        "time": question_page.time_left(sitting),
    }
    return render(request, "quizzes/hand_in.html", context)


@login_required
@never_cache
@require_safe
def review(request: SignedInRequest, sitting_id: uuid.UUID) -> HttpResponse:
    """A closed sitting, with its marks and every explanation as far as its test shows them now."""
    sitting = _sitting_or_404(request, sitting_id)
    if not sitting.is_closed:
        return redirect("hand_in", sitting_id)
    policy = feedback.policy_of(sitting)
    found = review_of(sitting, policy.visible(sitting, timezone.now()))
    lists = {"look": found.to_look_at, "marked": found.flagged, "all": found.questions}
    show = request.GET.get("show", "look" if found.to_look_at else "all")
    show = show if show in lists else "all"
    context = {
        "here": "test",
        "review": found,
        "outstanding": policy.outstanding(found.visible),
        "show": show,
        "questions": lists[show],
    }
    return render(request, "quizzes/review.html", context)


@login_required
@require_POST
def self_check_pick(request: SignedInRequest, concept_id: str) -> HttpResponse:
    """Keep the first pick of a self-check; the card then shows every explanation."""
    asked = self_checks.question_for(request.user, concept_id)
    if asked is None:
        raise Http404("no such self-check")
    found, variant = asked
    posed = Posed(found.task, variant)
    answer = kind_of(found.kind).read(posed, dict(request.POST.lists()))
    # A form that was loaded before the question changed may mean another option; it is shown the new question.
    if isinstance(answer, Answer) and request.POST.get("version") == self_checks.version_of(found):
        self_checks.pick(request.user, concept_id, answer.parts[0])
    return HttpResponseRedirect(reverse("card", args=[concept_id]) + "#check")


def _handed_in(sitting: Sitting) -> str:
    assert sitting.closed_at is not None
    policy = feedback.policy_of(sitting)
    seen = policy.visible(sitting, timezone.now())
    parts = ["Every option now explains itself."] if seen.explanations else []
    shown = " ".join([*parts, policy.outstanding(seen)])
    return f"Handed in at {clock(sitting.closed_at, policy.zone)}, receipt {sitting.receipt}. {shown}".rstrip()


def _standing_or_404(request: SignedInRequest, assignment_id: int) -> progress.Standing:
    standing = progress.standing(request.user, assignment_id)
    if standing is None:
        raise Http404("no such test")
    return standing


def _sitting_or_404(request: SignedInRequest, sitting_id: uuid.UUID) -> Sitting:
    sitting = sittings.sitting_of(request.user, sitting_id)
    if sitting is None:
        raise Http404("no such sitting")
    return sitting


def _asked_or_404(request: SignedInRequest, sitting_id: uuid.UUID, position: int) -> Asked:
    try:
        return question_page.asked(request.user, sitting_id, position)
    except Response.DoesNotExist:
        raise Http404("no such question") from None


def _save(
    request: SignedInRequest,
    sitting_id: uuid.UUID,
    position: int,
    *,
    stays: bool = False,
    record: Callable[[User, uuid.UUID, int, Sent], Recorded] = sittings.record_sent,
) -> HttpResponse:
    revision = request.POST.get("revision", "")
    sent = Sent(
        fields=dict(request.POST.lists()),
        revision=int(revision) if revision.isdecimal() and len(revision) < 9 else -1,  # no save was ever number -1
        save_id=request.POST.get("save", "")[:32],
    )
    try:
        response, outcome = record(request.user, sitting_id, position, sent)
    except Response.DoesNotExist:
        raise Http404("no such question") from None
    asked = question_page.asked_of(response)
    if isinstance(outcome, Unreadable):
        return _unreadable(request, asked, outcome)
    if isinstance(outcome, Refusal):
        return _refused(request, asked, outcome, sent)
    if _wants_json(request):
        return JsonResponse(question_page.receipt_message(asked, outcome))
    return HttpResponseRedirect(_after(request, asked, stays=stays))


def _after(request: SignedInRequest, asked: Asked, *, stays: bool) -> str:
    """Return where saving leads: the next question, or the look over the whole paper after the last one."""
    sitting_id, position = asked.sitting.pk, asked.position
    if stays:
        return reverse("question", args=[sitting_id, position])
    # A button that changes the answer on the page, such as one that moves a step, is met again afterwards.
    if moved := request.POST.get("move"):
        return f"{request.path}#{quote(moved)}"
    if position < asked.sitting.slots.count():
        return f"{reverse('question', args=[sitting_id, position + 1])}?left={position}"
    return reverse("hand_in", args=[sitting_id])


def _unreadable(request: SignedInRequest, asked: Asked, fault: Unreadable) -> HttpResponse:
    if _wants_json(request):
        message = {"refused": fault.reason, "reason": "unreadable", "fields": fault.fields}
        return JsonResponse(message, status=HTTPStatus.UNPROCESSABLE_ENTITY)
    page = question_page.with_unreadable(question_page.question_page(asked), fault, asked)
    return _question_response(request, asked, page, HTTPStatus.UNPROCESSABLE_ENTITY)


def _refused(request: SignedInRequest, asked: Asked, refusal: Refusal, sent: Sent | None = None) -> HttpResponse:
    if _wants_json(request):
        message = question_page.time_message(asked.sitting) | {
            "refused": refusal.sentence,
            "reason": refusal.reason.value,
            "revision": asked.receipt.revision,
        }
        is_early = refusal.reason is RefusalReason.TOO_FAST  # to the script: worth another try
        return JsonResponse(message, status=HTTPStatus.TOO_MANY_REQUESTS if is_early else HTTPStatus.CONFLICT)
    if refusal.reason is RefusalReason.STALE and sent is not None:
        answer = kind_of(asked.question.kind).read(Posed(asked.question.task, asked.variant), sent.fields)
        if isinstance(answer, Unreadable):
            answer = Answer(answer.given) if answer.given else None
        page = question_page.with_conflict(question_page.question_page(asked), refusal, asked, answer)
        return _question_response(request, asked, page, HTTPStatus.CONFLICT)
    messages.warning(request, refusal.sentence)
    if refusal.reason in (RefusalReason.TOO_FAST, RefusalReason.FINAL, RefusalReason.NOTHING_ANSWERED):
        return redirect("question", asked.sitting.pk, asked.position)
    is_closed = refusal.reason is RefusalReason.CLOSED
    return redirect("review", asked.sitting.pk) if is_closed else redirect("assignments")


def _question_response(
    request: SignedInRequest, asked: Asked, page: question_page.QuestionPage, status: int = HTTPStatus.OK
) -> HttpResponse:
    context = {"here": "test", "sitting": asked.sitting, "page": page, "control": page.shown.control}
    if asked.is_final:
        seen = feedback.policy_of(asked.sitting).visible(asked.sitting, timezone.now())
        stored = stored_of(asked.sitting.pk)[asked.position - 1]
        (context["judged"],) = reviewed([stored], seen)
    return render(request, "quizzes/question.html", context, status=status)


def _wants_json(request: SignedInRequest) -> bool:
    return "application/json" in request.META.get("HTTP_ACCEPT", "")
