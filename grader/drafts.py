"""Verbs on drafts: save, begin anew, read. No text that a learner typed is lost to a reset or to another tab."""

from django.db import IntegrityError, transaction
from django.utils import timezone

from courseware.accounts.allowances import Allowance
from courseware.accounts.models import User
from courseware.statements import Given, Statement
from grader.exercises import Exercise
from grader.models import Draft
from grader.sources import Refused, storable_source

# Enough to go back over an afternoon of resets; a bound, so that nobody fills the table by pressing a button.
REPLACED_KEPT = 20
# The editor saves a second after the last key, so no typing comes near this; a program that posts without end does.
_NEWEST: Statement[Draft] = Statement(
    lambda: Draft.objects.filter(user=Given("user", int), exercise=Given("exercise", str)).order_by("-revision")[
        : REPLACED_KEPT + 1
    ]
)
_SAVES = Allowance("draft-saves", tries=30, seconds=15)


class TwoVersions(Exception):
    """The text was changed somewhere else since this page was opened; `stored` is the other version."""

    def __init__(self, stored: Draft) -> None:
        self.stored = stored
        super().__init__(f"revision {stored.revision} is newer")


def drafts_of(user: User, exercise: Exercise) -> list[Draft]:
    """Return what the learner last saved, and then the texts that were replaced, newest first."""
    return _NEWEST.rows(user=user.pk, exercise=exercise.slug)


def current_draft(user: User, exercise: Exercise) -> Draft | None:
    """Return what the learner last saved, or None while the exercise is untouched."""
    return next(iter(drafts_of(user, exercise)), None)


def replaced_drafts(user: User, exercise: Exercise) -> list[Draft]:
    """Return the texts that a reset or a choice between versions replaced, newest first."""
    return drafts_of(user, exercise)[1:]


def check_pace(user: User) -> None:
    """Count one save of a draft.

    Errors:  Refused if there were too many just now
    """
    if not _SAVES.take(str(user.pk)):
        raise Refused("Very many saves came within seconds. Wait a quarter of a minute, then save again.")


def save_draft(user: User, exercise: Exercise, *, source: str, revision: int) -> Draft:
    """Return the draft after saving over the revision that the page was opened with, 0 for none.

    Errors:  Refused if the text cannot be stored; TwoVersions if another revision is current
    """
    source = storable_source(source)
    draft = current_draft(user, exercise)
    if draft is None:
        return _first(user, exercise, source)
    if draft.source == source:
        return draft
    saved_at = timezone.now()
    saved = draft.revision == revision and Draft.objects.filter(pk=draft.pk, revision=revision).update(
        source=source, revision=revision + 1, saved_at=saved_at
    )
    if not saved:
        raise TwoVersions(current_draft(user, exercise) or draft)
    draft.source, draft.revision, draft.saved_at = source, revision + 1, saved_at
    return draft


def begin_draft(user: User, exercise: Exercise, *, source: str) -> Draft:
    """Return a new current draft; the text before it stays behind as history.

    Errors:  Refused if the text cannot be stored
    """
    source = storable_source(source)
    with transaction.atomic():
        User.objects.select_for_update().get(pk=user.pk)  # two at once would take the same revision
        before = current_draft(user, exercise)
        if before is not None and before.source == source:
            return before
        revision = before.revision + 1 if before else 1
        draft = Draft.objects.create(user=user, exercise=exercise.slug, revision=revision, source=source)
        kept = [draft.pk, *(replaced.pk for replaced in replaced_drafts(user, exercise))]
        Draft.objects.filter(user=user, exercise=exercise.slug).exclude(pk__in=kept).delete()
    return draft


def keep_draft(user: User, exercise: Exercise, *, source: str, revision: int) -> Draft:
    """Return the draft after saving; where another tab was faster, its version becomes history instead of a question.

    Errors:  Refused if the text cannot be stored
    """
    try:
        return save_draft(user, exercise, source=source, revision=revision)
    except TwoVersions:
        return begin_draft(user, exercise, source=source)


def _first(user: User, exercise: Exercise, source: str) -> Draft:
    try:
        with transaction.atomic():
            return Draft.objects.create(user=user, exercise=exercise.slug, revision=1, source=source)
    except IntegrityError:  # another tab was first
        stored = current_draft(user, exercise)
        if stored is None or stored.source == source:
            raise
        raise TwoVersions(stored) from None
