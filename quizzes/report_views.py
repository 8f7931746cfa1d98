"""The short form by which a learner reports a question, from a review and from practice."""

import uuid

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from courseware.accounts.requests import SignedInRequest
from quizzes import reports
from quizzes.models import Complaint
from quizzes.reports import ReportRefusal, Subject
from quizzes.tables.reports import LONGEST_REPORT


class ReportForm(forms.Form):
    complaint = forms.ChoiceField(
        choices=Complaint.choices, error_messages={"required": "Choose what is wrong.", "invalid_choice": "Choose one."}
    )
    text = forms.CharField(
        max_length=LONGEST_REPORT,
        error_messages={
            "required": "Say in a sentence what is wrong, so that somebody else can see it.",
            "max_length": "A report has at most %(limit_value)d characters; this one has %(show_value)d.",
        },
    )


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report_reviewed(request: SignedInRequest, sitting_id: uuid.UUID, position: int) -> HttpResponse:
    """Report a question of a handed-in test."""
    back = f"{reverse('review', args=[sitting_id])}?show=all#q{position}"
    return _report(request, reports.subject_in_review(request.user, sitting_id, position), back=back)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def report_practised(request: SignedInRequest, answer_id: uuid.UUID) -> HttpResponse:
    """Report a question that was answered in practice."""
    back = reverse("practice_answer", args=[answer_id])
    return _report(request, reports.subject_in_practice(request.user, answer_id), back=back)


def _report(request: SignedInRequest, subject: Subject | None, *, back: str) -> HttpResponse:
    if subject is None:
        raise Http404("no such question, or not shown")
    form = ReportForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        filed = reports.file_report(subject, **form.cleaned_data)
        if isinstance(filed, ReportRefusal):
            messages.warning(request, filed.value)
        else:
            messages.success(request, f"Reported. The staff of {subject.cohort.name} see the question as you saw it.")
        return redirect(back)
    context = {
        "here": "test" if subject.slot else "practice",
        "subject": subject,
        "form": form,
        "longest": LONGEST_REPORT,
        "back": back,
        "refusal": ReportRefusal.ALREADY_OPEN.value if subject.open_report else "",
    }
    return render(request, "quizzes/report.html", context)
