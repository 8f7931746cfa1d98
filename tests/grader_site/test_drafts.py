"""Drafts: no text that a learner typed is lost to a reset, to another tab or to twice."""

import pytest

from grader.drafts import (
    REPLACED_KEPT,
    TwoVersions,
    begin_draft,
    current_draft,
    keep_draft,
    replaced_drafts,
    save_draft,
)
from grader.models import Draft
from grader.sources import Refused
from tests.factories import make_user

pytestmark = pytest.mark.django_db


def test_a_first_save_makes_revision_one(exercise):
    learner = make_user()

    draft = save_draft(learner, exercise, source="a", revision=0)

    assert (draft.revision, current_draft(learner, exercise).source) == (1, "a")


def test_saving_over_the_revision_that_was_opened_raises_it(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="a", revision=0)

    draft = save_draft(learner, exercise, source="b", revision=1)

    assert (draft.revision, Draft.objects.count()) == (2, 1)


def test_an_old_tab_cannot_overwrite_a_newer_text(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="a", revision=0)
    save_draft(learner, exercise, source="b", revision=1)

    with pytest.raises(TwoVersions) as conflict:
        save_draft(learner, exercise, source="old", revision=1)

    assert conflict.value.stored.source == "b"
    assert current_draft(learner, exercise).source == "b"


def test_a_tab_from_before_the_first_save_cannot_overwrite_either(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="a", revision=0)

    with pytest.raises(TwoVersions):
        save_draft(learner, exercise, source="b", revision=0)


def test_saving_the_same_text_twice_is_no_conflict(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="a", revision=0)

    assert save_draft(learner, exercise, source="a", revision=0).revision == 1


def test_a_reset_keeps_the_text_before_it(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="mine", revision=0)

    begin_draft(learner, exercise, source=exercise.starter)

    assert current_draft(learner, exercise).source == exercise.starter
    assert [draft.source for draft in replaced_drafts(learner, exercise)] == ["mine"]


def test_a_tab_opened_before_a_reset_cannot_write_into_history(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="mine", revision=0)
    begin_draft(learner, exercise, source=exercise.starter)

    with pytest.raises(TwoVersions):
        save_draft(learner, exercise, source="late", revision=1)

    assert [draft.source for draft in replaced_drafts(learner, exercise)] == ["mine"]


def test_a_submit_from_an_old_tab_keeps_both_texts(exercise):
    learner = make_user()
    save_draft(learner, exercise, source="a", revision=0)
    save_draft(learner, exercise, source="b", revision=1)

    keep_draft(learner, exercise, source="from the old tab", revision=1)

    assert current_draft(learner, exercise).source == "from the old tab"
    assert [draft.source for draft in replaced_drafts(learner, exercise)] == ["b"]


def test_history_is_bounded(exercise):
    learner = make_user()

    for number in range(REPLACED_KEPT + 5):
        begin_draft(learner, exercise, source=f"version {number}")

    assert Draft.objects.count() == REPLACED_KEPT + 1
    assert current_draft(learner, exercise).source == f"version {REPLACED_KEPT + 4}"


def test_what_cannot_be_stored_is_refused(exercise):
    with pytest.raises(Refused):
        save_draft(make_user(), exercise, source="\0", revision=0)


def test_drafts_are_a_persons_own(exercise):
    save_draft(make_user(), exercise, source="a", revision=0)

    assert current_draft(make_user(), exercise) is None
