"""One learner's record as the staff of a cohort may see it: what was read, picked, sat and submitted."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from courseware.accounts.models import Enrolment
from courseware.concepts.course import current
from courseware.concepts.modules import Concept
from courseware.study.models import Reading
from grader.catalogue import current_exercises
from grader.models import Submission
from quizzes.commentary import Explained, explained
from quizzes.models import SelfCheckPick, Sitting
from quizzes.presenting import Stem, stem
from quizzes.questions import Answer, Variant


@dataclass(frozen=True)
class CardRecord:
    """One card that a learner opened or whose question they answered."""

    concept: Concept
    opened: tuple[tuple[str, datetime], ...]  # depth and when it was first opened
    stem: Stem | None
    picked: Explained | None


@dataclass(frozen=True)
class SubmissionRecord:
    submission: Submission
    title: str


@dataclass(frozen=True)
class LearnerRecord:
    enrolment: Enrolment
    zone: ZoneInfo
    cards: tuple[CardRecord, ...]
    sittings: tuple[Sitting, ...]
    submissions: tuple[SubmissionRecord, ...]


def record_of(enrolment: Enrolment) -> LearnerRecord:
    """Return everything that this learner did; sittings are those of the enrolment, the rest belongs to the person."""
    titles = {exercise.slug: exercise.title for exercise in current_exercises().values()}
    submissions = Submission.objects.filter(user=enrolment.user_id, kind="submit").order_by("-queued_at")
    sittings = Sitting.objects.filter(enrolment=enrolment).select_related("assignment").order_by("-opened_at")
    return LearnerRecord(
        enrolment=enrolment,
        zone=enrolment.cohort.zone,
        cards=_cards(enrolment.user_id),
        sittings=tuple(sittings),
        submissions=tuple(SubmissionRecord(each, titles.get(each.exercise, each.exercise)) for each in submissions),
    )


def _cards(user_id: int) -> tuple[CardRecord, ...]:
    opened: dict[str, list[tuple[str, datetime]]] = defaultdict(list)
    for reading in Reading.objects.filter(user=user_id).order_by("first_at"):
        opened[reading.concept].append((reading.get_depth_display(), reading.first_at))
    picks = {pick.concept_id: pick for pick in SelfCheckPick.objects.filter(user=user_id).select_related("snapshot")}
    return tuple(
        _card(concept, opened[concept.id], picks.get(concept.id))
        for concept in current().module.concepts
        if concept.id in opened or concept.id in picks
    )


def _card(concept: Concept, opened: list[tuple[str, datetime]], pick: SelfCheckPick | None) -> CardRecord:
    if pick is None:
        return CardRecord(concept, tuple(opened), stem=None, picked=None)
    question = pick.snapshot.question()
    variant = Variant(parameters={}, option_order=tuple(pick.option_order))
    return CardRecord(
        concept,
        tuple(opened),
        stem=stem(question, variant),
        picked=explained(question, variant, Answer((pick.option_id,))),
    )
