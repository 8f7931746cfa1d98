"""Reads what an analysis is made from, and makes it when the stored one is no longer of all that was answered."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import FloatField, TextField
from django.db.models.functions import Cast

from courseware.concepts.course import current
from courseware.results.analysis.report import (
    OPEN,
    OTHER,
    PARTLY,
    RIGHT,
    Analysis,
    Answered,
    Asked,
    Key,
    analyse,
)
from quizzes import analyses
from quizzes.choices import ChoiceTask
from quizzes.models import Assignment, QuestionSnapshot, Response
from quizzes.questions import Question

_LAYOUT = 1  # of a stored body; one of another layout is worked out anew


@dataclass(frozen=True)
class Picked:
    """What can be picked in a question: its options, or right, partly right and the ideas that answers went with."""

    keys: tuple[str, ...]
    right: tuple[str, ...]


def stored_analysis(assignment: Assignment) -> tuple[Analysis | None, bool]:
    """Return the stored analysis, and whether that is all: where it is not, `fresh_analysis` makes one."""
    kept = analyses.stored(assignment, _digest(assignment))
    if kept is None:
        return None, False
    return (Analysis.from_json(kept.body) if kept.body else None), True


def fresh_analysis(assignment: Assignment) -> Analysis | None:
    """Return the analysis of everything that was answered so far, stored for whoever asks next; None if nothing was."""
    digest = _digest(assignment)
    found = analyse(*_papers(assignment))
    analyses.keep(assignment, digest, found.to_json() if found else {})
    return found


def analysis_of(assignment: Assignment) -> Analysis | None:
    """Return the analysis as of now."""
    found, is_stored = stored_analysis(assignment)
    return found if is_stored else fresh_analysis(assignment)


def is_option_kind(question: Question) -> bool:
    return isinstance(question.task, ChoiceTask)


def _digest(assignment: Assignment) -> str:
    return f"{_LAYOUT}{analyses.digest_of_responses(assignment)[1:]}"


def _papers(assignment: Assignment) -> tuple[list[Mapping[Key, Answered]], dict[Key, Asked]]:
    # As text, since thousands of answers are a few dozen different ones: each is read once.
    rows = (
        Response.objects.filter(slot__sitting__in=analyses.analysed(assignment))
        .order_by()
        .annotate(
            said=Cast("answer", TextField()),
            ideas=Cast("misconception_ids", TextField()),
            numbers=Cast("slot__parameters", TextField()),
            earned=Cast("mark", FloatField()),
            worth=Cast("slot__marks", FloatField()),
        )
        .values_list(
            "slot__sitting__enrolment",  # each has one sitting here, and a number is read quicker than its key
            "slot__question_id",
            "marked_from",
            "slot__snapshot",
            "worth",
            "earned",
            "said",
            "ideas",
            "numbers",
        )
    )
    papers: dict[object, dict[Key, Answered]] = {}
    marks: dict[Key, float] = {}
    snapshots: dict[Key, int] = {}
    choices = _option_ids(assignment)
    for sitting, question, version, snapshot, out_of, mark, given, ideas, numbers in rows.iterator(chunk_size=5000):
        key = question, version
        marks.setdefault(key, out_of)
        snapshots[key] = max(snapshot, snapshots.get(key, 0))  # the latest wording of those that are marked alike
        fraction = mark / out_of
        papers.setdefault(sitting, {})[key] = Answered(
            fraction, _picked(given, ideas, fraction, snapshot in choices), _numbers(numbers)
        )
    asked = {key: _asked(key, snapshots[key], marks[key], papers, choices) for key in sorted(marks, key=_place)}
    return list(papers.values()), asked


def _option_ids(assignment: Assignment) -> dict[int, Picked]:
    """Return the options of each snapshot that has some."""
    used = QuestionSnapshot.objects.filter(slots__sitting__in=analyses.analysed(assignment)).distinct()
    found = {}
    for snapshot in QuestionSnapshot.objects.filter(pk__in=used.values("pk")):
        task = snapshot.question().task
        if isinstance(task, ChoiceTask):
            right = tuple(option.id for option in task.options if option.is_right)
            found[snapshot.pk] = Picked(tuple(option.id for option in task.options), right)
    return found


def _asked(
    key: Key,
    snapshot: int,
    marks: float,
    papers: Mapping[object, Mapping[Key, Answered]],
    choices: Mapping[int, Picked],
) -> Asked:
    options = choices.get(snapshot)
    if options is None:
        said = {each for paper in papers.values() if key in paper for each in paper[key].picked}
        ideas = tuple(sorted(each for each in said if each[0] != "="))
        options = Picked((RIGHT, *((PARTLY,) if PARTLY in said else ()), *ideas, OTHER), (RIGHT,))
    return Asked(snapshot, marks, (*options.keys, OPEN), options.right)


@lru_cache(maxsize=20_000)
def _picked(given: str | None, ideas: str, fraction: float, is_choice: bool) -> tuple[str, ...]:
    answer = json.loads(given) if given else None
    if answer is None:
        return (OPEN,)
    if is_choice:
        return tuple(answer)
    if fraction == 1:
        return (RIGHT,)
    return tuple(json.loads(ideas)) or ((PARTLY,) if fraction else (OTHER,))


@lru_cache(maxsize=20_000)
def _numbers(text: str) -> str:
    parameters: dict[str, Any] = json.loads(text)
    return ", ".join(f"{name} = {value}" for name, value in sorted(parameters.items()))


def _place(key: Key) -> tuple[int, str, str]:
    """Return where a question stands in lists: by concept as the course has them."""
    concept = current().concept(key[0].partition("/")[0])
    return (concept.number if concept else 99, *key)
