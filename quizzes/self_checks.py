"""The one question on a card: the first pick is kept and locks, then every option explains itself.

Recorded so that a learner and staff can see it; never part of a mark.
"""

from dataclasses import dataclass

from courseware.accounts.models import User
from courseware.statements import Given, Statement
from quizzes import snapshots
from quizzes.bank import SELF_CHECK_SLUG
from quizzes.catalogue import current_bank
from quizzes.commentary import Explained, explained
from quizzes.marking import mark
from quizzes.models import SelfCheckPick
from quizzes.paper import variant_of
from quizzes.presenting import Shown, Stem, present, stem
from quizzes.questions import Answer, Question, Variant


@dataclass(frozen=True)
class SelfCheck:
    """What a card shows of its self-check. Explanations are there only once a pick is kept."""

    concept_id: str
    stem: Stem
    is_picked: bool
    shown: Shown | None
    explained: Explained | None
    version: str  # of the question that the form shows


def for_card(user: User, concept_id: str) -> SelfCheck | None:
    """Return this learner's self-check of a concept, None if the card has none."""
    kept = _kept(user, concept_id)
    if kept is not None:
        question, variant = kept.snapshot.question(), Variant(parameters={}, option_order=tuple(kept.option_order))
        return SelfCheck(
            concept_id=concept_id,
            stem=stem(question, variant),
            is_picked=True,
            shown=None,
            explained=explained(question, variant, Answer((kept.option_id,))),
            version="",
        )
    asked = question_for(user, concept_id)
    if asked is None:
        return None
    question, variant = asked
    shown = present(question, variant, None)
    return SelfCheck(
        concept_id=concept_id,
        stem=shown.stem,
        is_picked=False,
        shown=shown,
        explained=None,
        version=version_of(question),
    )


def pick(user: User, concept_id: str, option_id: str) -> SelfCheckPick:
    """Return the learner's first pick: this one, or the one that was kept before and stays.

    Errors:  KeyError if the concept has no self-check; ValueError if it has no such option
    """
    kept = _kept(user, concept_id)
    if kept is not None:
        return kept
    question = current_bank().self_checks[concept_id]
    variant = variant_of(question, _seed(user))
    if option_id not in variant.option_order:
        raise ValueError(f"{option_id!r} is not an option of {question.id}")
    marked = mark(question, variant, Answer((option_id,)))
    # Of two picks sent at once the database keeps the first; the other finds it here.
    kept, _ = SelfCheckPick.objects.get_or_create(
        user=user,
        question_id=question.id,
        defaults={
            "snapshot_id": snapshots.keep([question])[question.id],
            "concept_id": concept_id,
            "option_id": option_id,
            "option_order": list(variant.option_order),
            "is_right": marked.is_right,
            "misconception_ids": [cause.id for cause in marked.causes],
        },
    )
    return kept


def question_for(user: User, concept_id: str) -> tuple[Question, Variant] | None:
    """Return the concept's question with its options in this learner's order."""
    question = current_bank().self_checks.get(concept_id)
    return (question, variant_of(question, _seed(user))) if question else None


def version_of(question: Question) -> str:
    """Return a mark by which a form that was loaded before an edit is told from a fresh one."""
    return snapshots.frozen_once(question).content_digest[:16]


def _kept(user: User, concept_id: str) -> SelfCheckPick | None:
    question_id = f"{concept_id}/{SELF_CHECK_SLUG}"
    return _PICK.first(user=user.pk, question=question_id)


_PICK: Statement[SelfCheckPick] = Statement(
    lambda: (
        SelfCheckPick.objects.filter(user=Given("user", int), question_id=Given("question", str))
        .select_related("snapshot")
        .defer("snapshot__body")  # read once in the life of this process, see QuestionSnapshot.question
    )
)


def _seed(user: User) -> str:
    return str(user.uuid)
