"""Pages about a cohort's programs: every exercise, and one with its checks, its diagnoses and what has no name yet."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courseware.accounts.access import cohort_for_staff
from courseware.accounts.requests import SignedInRequest
from courseware.results.cohorts import standing_of
from courseware.results.programs import exercise_lines, programs_of
from grader.catalogue import current_exercises


@login_required
@never_cache
@require_safe
def cohort_exercises(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """The exercises, by how many began and passed them."""
    cohort = cohort_for_staff(request.user, cohort_id)
    standing = standing_of(cohort)
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "lines": exercise_lines(standing),
        "learners": standing.figures.active,
    }
    return render(request, "results/exercises.html", context)


@login_required
@never_cache
@require_safe
def cohort_exercise(request: SignedInRequest, cohort_id: int, exercise: str) -> HttpResponse:
    """One exercise: which checks hold, which known rules programs follow, and which behaviours match none."""
    cohort = cohort_for_staff(request.user, cohort_id)
    known = current_exercises().get(exercise)
    if known is None:
        raise Http404("no such exercise in the course")
    context = {"here": "cohorts", "cohort": cohort, "programs": programs_of(cohort, known)}
    return render(request, "results/exercise.html", context)
