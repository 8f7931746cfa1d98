"""Reads everything in which a cohort's learners show what they believe: tests, practice, self-checks and programs."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import F, Max, QuerySet, TextField
from django.db.models.functions import Cast
from django.db.models.lookups import Exact

from courseware.accounts.models import Cohort, Enrolment
from courseware.concepts.course import current
from courseware.results.beliefs.counting import Belief, Righted, Sighting, Source, beliefs
from courseware.study.models import Reading
from grader.catalogue import current_exercises
from grader.models import Submission
from grader.verdicts import Outcome
from quizzes.models import PracticeAnswer, QuestionSnapshot, Response, SelfCheckPick
from quizzes.questions import Cause, Question, parts_of

_SOURCES = {
    "numeric": Source.NUMBERS,
    "short": Source.TERMS,
    "order": Source.ORDERS,
    "matrix": Source.MATRICES,
}


@dataclass(frozen=True)
class Gathered:
    """All in which the active learners of a cohort showed what they believe, or that they do not."""

    enrolments: Mapping[int, Enrolment]  # by person; active ones, and the only ones counted
    snapshots: Mapping[str, int]  # of each question, as it was last asked
    sightings: Sequence[Sighting]
    righted: Righted
    readings: Mapping[tuple[int, str], datetime]  # when each person last opened each card

    def beliefs(self, *, source: Source | None = None, since: datetime | None = None) -> tuple[Belief, ...]:
        """Return what they believe, shown anywhere or in one way, ever or since an instant.

        What was right later always counts, wherever and whenever.
        """
        wanted = [
            each
            for each in self.sightings
            if (source is None or each.source is source) and (since is None or each.at >= since)
        ]
        return beliefs(wanted, self.righted, self.readings, _cards())


def learners_by_concept(found: Iterable[Belief]) -> Mapping[str, int]:
    """Return how many learners hold at least one belief that each concept's card sets right."""
    cards, held = _cards(), dict[str, set[int]]()
    for belief in found:
        held.setdefault(cards[belief.id], set()).update(holder.learner for holder in belief.holders)
    return {concept: len(learners) for concept, learners in held.items()}


def gather(cohort: Cohort) -> Gathered:
    """Return what the learners of a cohort showed so far."""
    people = Enrolment.objects.active().learners().filter(cohort=cohort)
    enrolments = {each.user_id: each for each in people.select_related("user")}
    users = people.values("user")
    answers = [*_in_tests(cohort), *_in_practice(users), *_in_self_checks(users)]
    snapshots = QuestionSnapshot.objects.in_bulk({snapshot for _, snapshot, *_ in answers})
    questions = {key: snapshot.question() for key, snapshot in snapshots.items()}
    can_show = {key: _beliefs_in(question) for key, question in questions.items()}
    sources = {key: _SOURCES.get(question.kind, Source.OPTIONS) for key, question in questions.items()}
    sightings: list[Sighting] = []
    righted, known = _RightAnswers(), _Known()
    for learner, snapshot, at, ideas, is_right in answers:
        if learner not in enrolments or at is None:
            continue
        if is_right:
            righted.add(learner, can_show[snapshot], at)
        if ideas != "[]":
            where = questions[snapshot].id
            sightings += [Sighting(learner, belief, sources[snapshot], at, where) for belief in known.of(ideas)]
    _add_programs(users, known, sightings, righted)
    readings = {
        (learner, concept): at
        for learner, concept, at in Reading.objects.filter(user__in=users)
        .values("user", "concept")
        .annotate(at=Max("last_at"))
        .values_list("user", "concept", "at")
    }
    last_asked = {question.id: key for key, question in sorted(questions.items())}
    return Gathered(enrolments, last_asked, sightings, righted.last, readings)


_Answers = Iterable[tuple[int, int, datetime | None, str, bool]]


def _in_tests(cohort: Cohort) -> _Answers:
    """Yield who answered which snapshot when, what it shows, and whether it was right."""
    rows = Response.objects.filter(
        slot__sitting__assignment__cohort=cohort, slot__sitting__closed_at__isnull=False, answer__isnull=False
    ).order_by()
    marked = rows.annotate(ideas=_as_text(), is_right=Exact(F("mark"), F("slot__marks")))
    # Neither right nor recognised: it tells nothing here, and in a large cohort it is many.
    found = marked.exclude(is_right=False, ideas="[]").values_list(
        "slot__sitting__enrolment__user", "slot__snapshot", "saved_at", "ideas", "is_right"
    )
    yield from found.iterator(chunk_size=5000)


def _in_practice(users: "QuerySet[Enrolment, Any]") -> _Answers:
    rows = PracticeAnswer.objects.filter(user__in=users).order_by().annotate(ideas=_as_text())
    for user, snapshot, at, ideas, fraction in rows.values_list("user", "snapshot", "at", "ideas", "fraction"):
        yield user, snapshot, at, ideas, fraction == 1


def _in_self_checks(users: "QuerySet[Enrolment, Any]") -> _Answers:
    rows = SelfCheckPick.objects.filter(user__in=users).annotate(ideas=_as_text())
    yield from rows.values_list("user", "snapshot", "at", "ideas", "is_right")


def _add_programs(
    users: "QuerySet[Enrolment, Any]", known: "_Known", sightings: list[Sighting], righted: "_RightAnswers"
) -> None:
    shown = {slug: {each.belief for each in exercise.variants} for slug, exercise in current_exercises().items()}
    rows = Submission.objects.counted().filter(user__in=users).order_by().annotate(ideas=_as_text())
    for user, exercise, at, ideas, verdict in rows.values_list("user", "exercise", "finished_at", "ideas", "verdict"):
        assert at is not None  # a counted submission has ended
        if verdict == Outcome.RIGHT.value:
            righted.add(user, shown.get(exercise, ()), at)
        sightings += [Sighting(user, belief, Source.PROGRAMS, at, exercise) for belief in known.of(ideas)]


def _as_text() -> Cast:
    # Thousands of answers show the same few ideas: as text each list is read once.
    return Cast(F("misconception_ids"), TextField())


class _RightAnswers:
    """Keeps of each learner and belief the last time that they were right: of thousands of answers no other counts."""

    def __init__(self) -> None:
        self.last: dict[tuple[int, str], datetime] = {}

    def add(self, learner: int, beliefs: Iterable[str], at: datetime) -> None:
        for belief in beliefs:
            if self.last.setdefault((learner, belief), at) < at:
                self.last[learner, belief] = at


class _Known:
    """Reads lists of ids as text, each once: misconceptions alone, since slips are no beliefs, and only those that the
    course still has, since others cannot be taught.
    """

    def __init__(self) -> None:
        self._misconceptions, self._read = current().misconceptions, dict[str, tuple[str, ...]]()

    def of(self, text: str) -> tuple[str, ...]:
        found = self._read.get(text)
        if found is None:
            found = self._read[text] = tuple(each for each in json.loads(text) if each in self._misconceptions)
        return found


def _beliefs_in(question: Question) -> tuple[str, ...]:
    causes = {cause.id for cause in parts_of(question.task, Cause)}
    return tuple(each for each in causes if each in current().misconceptions)


def _cards() -> Mapping[str, str]:
    return {each.id: each.see_concept for each in current().misconceptions.values()}
