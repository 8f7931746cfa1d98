"""Pages about questions: how a test measured, and what each of its questions tells; for all staff of the cohort."""

from collections.abc import Mapping

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courseware.accounts.access import cohort_for_staff
from courseware.accounts.models import Cohort
from courseware.accounts.requests import SignedInRequest
from courseware.results.analysis import csv_file
from courseware.results.analysis.gathering import analysis_of, fresh_analysis, stored_analysis
from courseware.results.analysis.shown import histogram, item_rows, shown_item, whole_statistics
from courseware.results.working import is_to_begin, working
from quizzes import analyses
from quizzes.closing import close_due_in
from quizzes.models import Assignment
from quizzes.reports import listed, reports_of

# Sittings from which on a fresh analysis takes long enough to say so first: 200 papers of forty questions took 0.1 s.
SAYS_SO_FROM = 200


@login_required
@never_cache
@require_safe
def cohort_analyses(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """The tests of a cohort, by how many of their papers can be analysed."""
    cohort = cohort_for_staff(request.user, cohort_id)
    close_due_in(cohort)
    papers = analyses.analysed_in(cohort)
    tests = [(each, papers.get(each.pk, 0)) for each in cohort.assignments.order_by("-created_at")]
    context = {"here": "cohorts", "cohort": cohort, "tests": tests, "reports": _reports(cohort)}
    return render(request, "results/analyses.html", context)


@login_required
@never_cache
@require_safe
def cohort_analysis(request: SignedInRequest, cohort_id: int, assignment_id: int) -> HttpResponse:
    """One test: what its totals say, and its questions, those to look at first."""
    cohort, assignment = _test(request, cohort_id, assignment_id)
    analysis, is_stored = stored_analysis(assignment)
    papers = 0 if is_stored else analyses.analysed(assignment).count()
    if papers >= SAYS_SO_FROM and not is_to_begin(request):
        words = f"{papers} papers are read anew, which takes a second or so."
        return working(request, cohort, title=assignment.title, words=words)
    if not is_stored:
        analysis = fresh_analysis(assignment)
    context = _context(cohort, assignment) | {"analysis": analysis}
    if analysis is not None:
        rows = item_rows(analysis, _reports(cohort))
        context |= {
            "statistics": whole_statistics(analysis),
            "histogram": histogram(analysis),
            "rows": rows,
            "flagged": sum(bool(row.flags) for row in rows),
        }
    return render(request, "results/analysis.html", context)


@login_required
@never_cache
@require_safe
def cohort_analysis_csv(request: SignedInRequest, cohort_id: int, assignment_id: int) -> StreamingHttpResponse:
    _, assignment = _test(request, cohort_id, assignment_id)
    name = f"{slugify(assignment.title) or 'test'}-questions.csv"
    return StreamingHttpResponse(
        csv_file.lines(analysis_of(assignment)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@login_required
@never_cache
@require_safe
def cohort_item(
    request: SignedInRequest, cohort_id: int, assignment_id: int, concept: str, question: str
) -> HttpResponse:
    """One question of a test: who picks what, how it goes with the rest, and what learners report about it."""
    cohort, assignment = _test(request, cohort_id, assignment_id)
    analysis = analysis_of(assignment)
    item = analysis.item(f"{concept}/{question}", request.GET.get("version", "")) if analysis else None
    if analysis is None or item is None:
        raise Http404("nobody was asked such a question in this test")
    reports = [listed(each) for each in reports_of(cohort).filter(question_id=item.question)]
    context = _context(cohort, assignment) | {"shown": shown_item(analysis, item), "reports": reports}
    return render(request, "results/item.html", context)


def _test(request: SignedInRequest, cohort_id: int, assignment_id: int) -> tuple[Cohort, Assignment]:
    cohort = cohort_for_staff(request.user, cohort_id)
    assignment = cohort.assignments.filter(pk=assignment_id).first()
    if assignment is None:
        raise Http404("no such test in this cohort")
    close_due_in(cohort)
    return cohort, assignment


def _context(cohort: Cohort, assignment: Assignment) -> dict[str, object]:
    return {"here": "cohorts", "cohort": cohort, "assignment": assignment}


def _reports(cohort: Cohort) -> Mapping[str, int]:
    """Return how many reports there are of each question."""
    found = reports_of(cohort).order_by().values("question_id").annotate(count=Count("pk"))
    return dict(found.values_list("question_id", "count"))
