"""Beliefs as their pages and their file show them: in sentences, strongest first."""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from courseware.concepts.course import Place, current
from courseware.concepts.misconceptions import Misconception
from courseware.drawing.bars import bars
from courseware.drawing.safe_html import SafeHtml
from courseware.results.beliefs.counting import Figures, Holder, Source
from courseware.results.beliefs.figures import BeliefMap
from courseware.results.csv_export import BYTE_ORDER_MARK, Echo, harmless
from grader.catalogue import current_exercises
from quizzes.models import QuestionSnapshot
from quizzes.presenting import stem
from quizzes.questions import Question
from quizzes.registry import kind_of

# A file leaves the site: below five, somebody who knows the cohort could tell who is meant.
FEWEST_IN_A_FILE = 5


@dataclass(frozen=True)
class BeliefLine:
    """One belief in the list."""

    belief: Figures
    misconception: Misconception
    place: Place | None
    percent: int
    still_width: float  # of the bar, in hundredths of the cohort
    gone_width: float
    words: str  # where it showed and what became of it


@dataclass(frozen=True)
class Evidence:
    """A question or an exercise in which a belief showed."""

    title: SafeHtml | str
    exercise: str  # its slug; "" for a question
    learners: int


def lines(found: BeliefMap) -> tuple[BeliefLine, ...]:
    return tuple(line(belief, found.learners) for belief in found.beliefs)


def line(belief: Figures, learners: int) -> BeliefLine:
    misconception = current().misconceptions[belief.id]
    return BeliefLine(
        belief=belief,
        misconception=misconception,
        place=current().place(misconception),
        percent=round(100 * belief.learners / learners) if learners else 0,
        still_width=round(100 * belief.still / (learners or 1), 2),
        gone_width=round(100 * belief.gone / (learners or 1), 2),
        words=_words(belief, learners),
    )


def finding(found: Sequence[BeliefLine], learners: int) -> str:
    """Return the list in one sentence."""
    if not found:
        return "No answer and no program has shown a misconception so far."
    first = found[0]
    count = f"{first.belief.learners} of {learners} learners"
    if first.belief.gone_after_reading * 2 > first.belief.learners:
        return f"The widest is “{first.misconception.label}”, {count}; reading its card again made it go for most."
    if first.belief.still * 2 > first.belief.learners:
        return f"The widest is “{first.misconception.label}”, {count}, and most of them still hold it."
    return f"The widest is “{first.misconception.label}”, {count}; most have answered right since."


def by_concept(found: BeliefMap) -> SafeHtml | None:
    """Return the picture of how many learners hold at least one belief, by concept."""
    held = found.by_concept
    if not held:
        return None
    concepts = [concept for concept in current().concepts() if concept.card is not None or concept.id in held]
    counts = [held.get(concept.id, 0) for concept in concepts]
    most = concepts[counts.index(max(counts))]
    return bars(
        counts,
        [str(concept.number) for concept in concepts],
        key="by-concept",
        title="Learners who showed at least one, by concept",
        finding=f"Most, {max(counts)}, in concept {most.number}, {most.title}.",
        heads=("Concept", "Learners"),
    )


def over_time(belief: Figures) -> SafeHtml | None:
    """Return the picture of how many learners first showed it, by week."""
    weeks = belief.weeks[-26:]  # half a year; a longer course shows its latest part
    if not weeks:
        return None
    most = max(weeks, key=lambda week: week.learners)
    return bars(
        [week.learners for week in weeks],
        [f"{week.begins.day} {week.begins:%b}" for week in weeks],
        key="over-time",
        title="Learners who first showed it, by week",
        finding=f"Most, {most.learners}, in the week from {most.begins.day} {most.begins:%B}.",
        heads=("Week from", "Learners"),
    )


def evidence(belief: Figures, found: BeliefMap) -> tuple[Evidence, ...]:
    """Return where it showed, most learners first."""
    exercises = current_exercises()
    keys = [found.snapshots[where] for where, _ in belief.by_place if where in found.snapshots]
    snapshots = QuestionSnapshot.objects.in_bulk(keys)
    lines = []
    for where, learners in belief.by_place:
        snapshot = snapshots.get(found.snapshots.get(where, 0))
        if snapshot is not None:
            lines.append(Evidence(SafeHtml(_heading(snapshot.question())), "", learners))
        else:
            known = exercises.get(where)
            lines.append(Evidence(known.title if known else where, where if known else "", learners))
    return tuple(lines)


def what_became(holder: Holder) -> str:
    """Return in words what became of a belief in one learner."""
    if holder.is_gone:
        return "right since, after reading the card again" if holder.has_read else "right since"
    return "still held, though the card was read again" if holder.has_read else "still held"


def csv_lines(found: BeliefMap) -> Iterator[str]:
    """Yield the lines of a file without a name in it; groups under five are not told apart."""
    writer: Any = csv.writer(Echo())
    sources = [f"In {source.value}" for source in Source]
    yield BYTE_ORDER_MARK + writer.writerow(
        ["Misconception", "Id", "Learners", *sources, "Right since", "Right since after reading", "Of learners"]
    )
    for belief in found.beliefs:
        counts = [belief.by_source.get(source, 0) for source in Source]
        cells = [belief.learners, *counts, belief.gone, belief.gone_after_reading]
        label = current().misconceptions[belief.id].label
        yield writer.writerow([harmless(label), belief.id, *map(_count, cells), str(found.learners)])


def _count(count: int) -> str:
    return "fewer than 5" if 0 < count < FEWEST_IN_A_FILE else str(count)


def _words(belief: Figures, learners: int) -> str:
    if not belief.learners:
        return "Nobody who learns here now has shown it."
    seen = ", ".join(f"{source.value} {count}" for source, count in belief.by_source.items())
    words = f"{belief.learners} of {learners} learners. Seen in {seen}."
    if belief.gone:
        words += f" {belief.gone} later answered right"
        words += f", {belief.gone_after_reading} after reading the card again." if belief.gone_after_reading else "."
    return words


def _heading(question: Question) -> str:
    drawn = kind_of(question.kind).draw(question.task, seed="beliefs", question_id=question.id)
    return stem(question, drawn).heading
