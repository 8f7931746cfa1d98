"""The page on which an LMS's own export comes back with a column filled: first who was found, then the file."""

import io
from decimal import Decimal
from http import HTTPStatus
from pathlib import PurePath

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from courseware.accounts.access import cohort_for_instructor
from courseware.accounts.requests import SignedInRequest
from courseware.results.cohorts import CohortStanding, standing_of
from courseware.results.lms.filling import Earned, Ours, filled, matched, points_of, suggested
from courseware.results.marks import Marks
from courseware.results.sheets import Unreadable, read_sheet
from courseware.results.uploads import UploadForm, carried
from quizzes.closing import close_due_in

NEW = "new"


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def cohort_lms(request: SignedInRequest, cohort_id: int) -> HttpResponse | FileResponse:
    """Take an export of Canvas, Moodle or Blackboard, say who was found, and give it back filled."""
    cohort = cohort_for_instructor(request.user, cohort_id)
    close_due_in(cohort)
    standing = standing_of(cohort)
    sources = _sources(standing)
    wanted = request.POST.get("ours", next(iter(sources)))
    form = UploadForm(request.POST or None, request.FILES or None)
    context = {"here": "cohorts", "cohort": cohort, "form": form, "sources": sources.items(), "wanted": wanted}
    if not form.is_valid() or wanted not in sources:
        return _answer(request, context, refused=form.is_bound)
    ours = _ours(standing, wanted, sources[wanted])
    try:
        match = matched(read_sheet(form.cleaned_data["bytes"]), ours)
    except Unreadable as error:
        form.add_error(None, str(error))
        return _answer(request, context, refused=True)
    column = _column(request.POST.get("column"), match.columns, suggested(match, ours))
    if "download" in request.POST:
        name = PurePath(form.cleaned_data["name"] or "grades.csv")
        file = io.BytesIO(filled(match, ours, column))
        return FileResponse(
            file, as_attachment=True, filename=f"{name.stem}-filled{name.suffix}", content_type="text/csv"
        )
    context |= {
        "match": match,
        "ours": ours,
        "columns": [(at, match.sheet.head[at], at == column) for at in match.columns],
        "is_new": column is None,
        "points": points_of(match, column),
        "content": carried(form.cleaned_data["bytes"]),
        "name": form.cleaned_data["name"],
    }
    return _answer(request, context, refused=False)


def _answer(request: SignedInRequest, context: dict[str, object], *, refused: bool) -> HttpResponse:
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "results/lms.html", context, status=status)


def _sources(standing: CohortStanding) -> dict[str, str]:
    """Return the columns that can go out, by name."""
    found = {"grade": "Module grade"} if standing.has_grade else {}
    found |= {f"test-{each.pk}": each.title for each in standing.assignments}
    return found | {each.slug: each.title for each in standing.exercises}


def _ours(standing: CohortStanding, wanted: str, title: str) -> Ours:
    tests = [f"test-{each.pk}" for each in standing.assignments]
    slugs = [each.slug for each in standing.exercises]

    def mark(row: Marks) -> tuple[Decimal | None, Decimal | None]:
        if wanted in tests:
            cell = row.sittings[tests.index(wanted)]
            return cell.mark, cell.sitting.out_of if cell.sitting else None
        if wanted in slugs:
            at = slugs.index(wanted)
            return row.exercises[at].best_mark, standing.exercises[at].marks
        return (row.grade.percent if row.grade else None), Decimal(100)

    marks = [(each, *mark(standing.of(each))) for each in standing.active]
    # Papers of one test may be of different marks; all are brought to those of the largest.
    out_of = max((out for _, _, out in marks if out), default=Decimal(100))
    learners = tuple(
        Earned(each.name, each.email, None if got is None else got * out_of / (out or out_of))
        for each, got, out in marks
    )
    return Ours(title, out_of, learners)


def _column(posted: str | None, known: tuple[int, ...], otherwise: int | None) -> int | None:
    if posted == NEW:
        return None
    return int(posted) if posted and posted.isdecimal() and int(posted[:6]) in known else otherwise
