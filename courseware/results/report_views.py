"""Reports of questions as a cohort's staff read them: what waits, one report, and dealing with it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from courseware.accounts.access import cohort_for_staff
from courseware.accounts.requests import SignedInRequest
from courseware.results.analysis.gathering import analysis_of
from courseware.results.analysis.shown import ShownItem, shown_item
from quizzes.models import QuestionReport
from quizzes.reports import listed, open_reports_of, reports_of, set_dealt_with, whole

LATEST = 100  # of those dealt with; older ones are looked for by their question


@login_required
@never_cache
@require_safe
def cohort_reports(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """Every open report of a cohort, and the latest that were dealt with."""
    cohort = cohort_for_staff(request.user, cohort_id)
    done = reports_of(cohort).filter(dealt_with_at__isnull=False).order_by("-dealt_with_at")[:LATEST]
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "open": open_reports_of(cohort),
        "done": [listed(report) for report in done],
    }
    return render(request, "results/reports.html", context)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cohort_report(request: SignedInRequest, cohort_id: int, report_id: int) -> HttpResponse:
    """One report with the question as its learner saw it; a POST marks it as dealt with, or opens it again."""
    cohort = cohort_for_staff(request.user, cohort_id)
    report = reports_of(cohort).filter(pk=report_id).first()
    if report is None:
        raise Http404("no such report in this cohort")
    if request.method == "POST":
        is_dealt_with = request.POST.get("action") != "open"
        if set_dealt_with(report, by=request.user, is_dealt_with=is_dealt_with):
            messages.success(request, "Dealt with." if is_dealt_with else "The report is open again.")
        else:
            messages.warning(request, "Nothing was changed: it was so already, or the learner has reported it anew.")
        return redirect("cohort_report", cohort_id, report_id)
    context = {"here": "cohorts", "cohort": cohort, "reported": whole(report), "shown": _measured(report)}
    return render(request, "results/report.html", context)


def _measured(report: QuestionReport) -> ShownItem | None:
    """Return how the question went in the test of the report, None where no analysis has it."""
    analysis = analysis_of(report.slot.sitting.assignment) if report.slot else None
    if analysis is None:
        return None
    # An answer may have been marked anew from a later version, and stands under that one then.
    reported = analysis.item(report.question_id, report.snapshot.marking_digest)
    item = reported or analysis.item(report.question_id)
    return shown_item(analysis, item) if item else None
