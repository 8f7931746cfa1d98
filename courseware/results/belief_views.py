"""Pages about what a cohort believes. The names are on a page of their own, for the cohort's staff."""

from datetime import timedelta

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.text import slugify
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from courseware.accounts.access import cohort_for_staff
from courseware.accounts.models import Cohort
from courseware.accounts.requests import SignedInRequest
from courseware.concepts.course import current
from courseware.results.beliefs import shown
from courseware.results.beliefs.counting import Belief, Source
from courseware.results.beliefs.figures import belief_map, kept_map
from courseware.results.beliefs.gathering import gather
from courseware.results.working import is_to_begin, working
from quizzes.closing import close_due_in
from quizzes.moments import moment

SPANS = {"": "the start", "7": "a week ago", "30": "a month ago"}  # days back, and how the page calls it
# Learners from which on counting takes long enough to say so first: 100 with 50 answers and 20 programs took 0.1 s.
SAYS_SO_FROM = 500
WORDS = "Every answer and program is read anew, which takes a second or so."
LISTED = 12  # of some dozens; the others are on request


@login_required
@never_cache
@require_safe
def cohort_beliefs(request: SignedInRequest, cohort_id: int) -> HttpResponse:
    """What the cohort believes, strongest first."""
    cohort = _cohort(request, cohort_id)
    source = next((each for each in Source if each.value == request.GET.get("in")), None)
    days = request.GET.get("since", "")
    since = timezone.now() - timedelta(days=int(days)) if days in SPANS and days else None
    found = kept_map(cohort, source=source) if since is None else None
    if found is None:
        is_large = cohort.enrolments.learners().count() >= SAYS_SO_FROM
        if is_large and since is None and not is_to_begin(request):
            return working(request, cohort, title="Misconceptions", words=WORDS)
        found = belief_map(cohort, source=source, since=since)
    lines = shown.lines(found)
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "learners": found.learners,
        "as_of": moment(found.at, cohort.zone),
        "lines": lines if "all" in request.GET else lines[:LISTED],
        "count": len(lines),
        "finding": shown.finding(lines, found.learners),
        "by_concept": shown.by_concept(found),
        "sources": [each.value for each in Source],
        "source": source.value if source else "",
        "spans": SPANS.items(),
        "since": days,
    }
    return render(request, "results/beliefs.html", context)


@login_required
@never_cache
@require_safe
def cohort_beliefs_csv(request: SignedInRequest, cohort_id: int) -> StreamingHttpResponse:
    cohort = _cohort(request, cohort_id)
    name = f"{slugify(cohort.name) or 'cohort'}-misconceptions.csv"
    return StreamingHttpResponse(
        shown.csv_lines(belief_map(cohort)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@login_required
@never_cache
@require_safe
def cohort_belief(request: SignedInRequest, cohort_id: int, belief_id: str) -> HttpResponse:
    """One belief: where it shows, how that changed over time, and what the card says against it. No names."""
    cohort = _cohort_of(request, cohort_id, belief_id)
    found = belief_map(cohort)
    belief = found.belief(belief_id)
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "line": shown.line(belief, found.learners),
        "over_time": shown.over_time(belief),
        "evidence": shown.evidence(belief, found),
    }
    return render(request, "results/belief.html", context)


@login_required
@never_cache
@require_safe
def cohort_belief_learners(request: SignedInRequest, cohort_id: int, belief_id: str) -> HttpResponse:
    """Who showed a belief, those who still hold it first."""
    cohort = _cohort_of(request, cohort_id, belief_id)
    found = gather(cohort)
    belief = next((each for each in found.beliefs() if each.id == belief_id), Belief(belief_id, ()))
    holders = [(found.enrolments[each.learner].user, each, shown.what_became(each)) for each in belief.holders]
    holders.sort(key=lambda line: (line[1].is_gone, line[0].name))
    context = {
        "here": "cohorts",
        "cohort": cohort,
        "line": shown.line(belief.figures(cohort.zone), len(found.enrolments)),
        "holders": holders,
    }
    return render(request, "results/belief_learners.html", context)


def _cohort(request: SignedInRequest, cohort_id: int) -> Cohort:
    cohort = cohort_for_staff(request.user, cohort_id)
    close_due_in(cohort)
    return cohort


def _cohort_of(request: SignedInRequest, cohort_id: int, belief_id: str) -> Cohort:
    cohort = _cohort(request, cohort_id)
    if belief_id not in current().misconceptions:
        raise Http404("the course has no such misconception")
    return cohort
