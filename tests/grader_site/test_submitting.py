"""Submitting and taking back: what is stored, what is refused, and what twice does."""

import contextlib
from collections.abc import Iterator

import pytest
from django.db import connection
from django.urls import reverse

from grader.dispatching import dispatch
from grader.models import Kind, State, Submission
from grader.sources import SOURCE_BYTES, Refused
from grader.submissions import cancel, submit
from tests.factories import make_user
from tests.grader_site.courses import SOLUTION

pytestmark = pytest.mark.django_db


def _submit(user, exercise, *, kind=Kind.SUBMIT, source=SOLUTION) -> Submission:
    return submit(user, exercise, kind=kind, source=source)


def test_a_submission_is_stored_queued_with_the_exercise_it_is_for(exercise):
    learner = make_user()

    submission = _submit(learner, exercise)

    submission.refresh_from_db()
    assert (submission.user, submission.exercise, submission.state) == (learner, "double", State.QUEUED)
    assert (submission.source, submission.exercise_digest) == (SOLUTION, exercise.digest)
    assert (submission.number, submission.delivery, submission.ticket, submission.seed) == (1, 0, "", None)


def test_line_ends_become_the_ones_that_python_counts_and_no_mark_of_byte_order_is_kept(exercise):
    submission = _submit(make_user(), exercise, source="\ufeffdef double(x):\r\n    return 2 * x\r")

    assert submission.source == "def double(x):\n    return 2 * x\n"


@pytest.mark.parametrize(
    ("source", "word"), [("x = '\0'", "null character"), ("é" * (SOURCE_BYTES // 2 + 1), "bytes"), (" \n\t", "no code")]
)
def test_a_source_that_cannot_be_graded_is_refused_with_a_sentence(exercise, source, word):
    with pytest.raises(Refused) as refusal:
        _submit(make_user(), exercise, source=source)

    assert word in refusal.value.sentence
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    "source",
    ["x = 1\n" + "(" * 20_000 + ")" * 20_000, "-" * 60_000 + "1", "# -*- coding: rot13 -*-\ncevag(1)\n", "\x1b[2J = ("],
)
def test_no_program_is_parsed_before_it_is_shut_in(client, learner, broker, source):
    """Python's own parser has ended processes that read such texts."""
    answer = client.post(reverse("submit", args=["attention"]), {"source": source, "kind": "submit"})

    (stored,) = Submission.objects.filter(user=learner)
    assert (stored.source, stored.state) == (source, State.QUEUED)
    assert client.get(answer["Location"]).status_code == 200


def test_a_source_of_exactly_the_limit_is_taken(exercise):
    assert len(_submit(make_user(), exercise, source="#" * SOURCE_BYTES).source) == SOURCE_BYTES


def test_a_newer_submission_replaces_one_that_still_waits(exercise):
    learner = make_user()
    older = _submit(learner, exercise)

    newer = _submit(learner, exercise)

    older.refresh_from_db()
    assert (older.state, newer.state, newer.number) == (State.CANCELLED, State.QUEUED, 2)


def test_a_submit_that_is_with_a_judge_must_end_first(exercise, broker, judge):
    learner = make_user()
    _submit(learner, exercise)
    dispatch()

    with pytest.raises(Refused) as refusal:
        _submit(learner, exercise)

    assert "Submission 1 is with a grader" in refusal.value.sentence
    assert Submission.objects.count() == 1


def test_a_run_that_is_with_a_judge_gives_way(exercise, broker, judge):
    learner = make_user()
    run = _submit(learner, exercise, kind=Kind.RUN)
    dispatch()

    _submit(learner, exercise)

    run.refresh_from_db()
    assert run.state == State.CANCELLED


def test_a_run_leaves_the_submit_alone_that_waits_or_is_with_a_judge(exercise, broker, judge):
    learner = make_user()
    submission = _submit(learner, exercise)
    _submit(learner, exercise, kind=Kind.RUN)
    dispatch()

    run = _submit(learner, exercise, kind=Kind.RUN)

    assert Submission.objects.get(pk=submission.pk).state == State.SENT
    assert list(Submission.objects.live().filter(kind=Kind.RUN)) == [run]


def test_submits_and_runs_are_counted_apart_and_by_learner(exercise):
    learner = make_user()

    numbers = [
        _submit(learner, exercise, kind=Kind.RUN).number,
        _submit(learner, exercise, kind=Kind.RUN).number,
        _submit(learner, exercise).number,
        _submit(make_user(), exercise).number,
    ]

    assert numbers == [1, 2, 1, 1]


def test_two_learners_may_wait_for_the_same_exercise(exercise):
    first, second = _submit(make_user(), exercise), _submit(make_user(), exercise)

    assert {first.state, second.state} == {State.QUEUED}


def test_a_run_has_no_marks_to_earn(exercise):
    learner = make_user()

    assert _submit(learner, exercise, kind=Kind.RUN).marks_available is None
    assert _submit(learner, exercise).marks_available == 10


def test_taking_back_ends_a_waiting_submission_once(exercise):
    submission = _submit(make_user(), exercise)

    assert cancel(submission) is True
    assert cancel(submission) is False

    submission.refresh_from_db()
    assert submission.state == State.CANCELLED
    assert submission.finished_at is not None


def test_a_submission_that_was_taken_back_is_never_sent(exercise, broker, judge):
    cancel(_submit(make_user(), exercise))

    dispatch()

    assert broker.orders() == []


@pytest.mark.only_on("sqlite")
def test_a_submission_that_is_stored_is_told_so_although_it_cannot_be_sent_yet(
    exercise, broker, judge, django_capture_on_commit_callbacks
):
    with _without_room_to_claim(), django_capture_on_commit_callbacks(execute=True):
        submission = _submit(make_user(), exercise)

    submission.refresh_from_db()
    assert submission.state == State.QUEUED
    assert dispatch() == 1


@contextlib.contextmanager
def _without_room_to_claim() -> Iterator[None]:
    """Let the database store a new row in the block, and refuse to write down that it was sent."""
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE TRIGGER no_room BEFORE UPDATE OF ticket ON grader_submission "
            "BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END"
        )
        yield
        cursor.execute("DROP TRIGGER no_room")
