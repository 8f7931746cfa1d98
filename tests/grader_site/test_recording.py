"""What judges answer: one verdict per submission, only from the delivery that counts, whatever else arrives."""

import contextlib
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import OperationalError, connection
from django.forms.models import model_to_dict
from django.utils import timezone

from grader.dispatching import dispatch, put_right
from grader.ending import MAX_DELIVERIES
from grader.models import Kind, State, Submission
from grader.submissions import cancel, record_progress, record_verdict, submit
from grader.verdicts import Outcome, Verdict
from tests.factories import make_user
from tests.grader_site.answers import (
    check_report,
    operator_verdict,
    progress_note,
    right_verdict,
    verdict_note,
    wrong_verdict,
)
from tests.grader_site.courses import SOLUTION

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(exercise, broker, judge):
    """Return a submission that is with a judge."""
    submission = submit(make_user(), exercise, kind=Kind.SUBMIT, source=SOLUTION)
    dispatch()
    submission.refresh_from_db()
    return submission


def _state(submission: Submission) -> tuple:
    row = Submission.objects.get(pk=submission.pk)
    return model_to_dict(row), list(row.results.values_list("check_id", "outcome", "got"))


def test_a_verdict_ends_the_submission_with_its_mark_and_checks(sent):
    assert record_verdict(verdict_note(sent, wrong_verdict())) is True

    sent.refresh_from_db()
    assert (sent.state, sent.verdict, sent.fault_of) == (State.FINISHED, "wrong", "learner")
    assert (sent.mark, sent.marks_available) == (Decimal("4.0000"), 10)
    assert sent.misconception_ids == ["slip-triple"]
    assert list(sent.results.values_list("check_id", "outcome")) == [("values", "fails"), ("unchanged", "holds")]
    assert sent.evidence["diagnosis"]["sentence"] == "It behaves exactly like tripling."
    assert sent.lease_until is None
    assert sent.finished_at is not None


def test_a_second_verdict_of_the_same_delivery_changes_nothing(sent):
    record_verdict(verdict_note(sent, wrong_verdict()))
    before = _state(sent)

    assert record_verdict(verdict_note(sent, right_verdict())) is False

    assert _state(sent) == before


def test_a_late_verdict_of_an_earlier_delivery_changes_nothing(sent):
    late = verdict_note(sent, right_verdict())
    Submission.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    put_right()
    dispatch()
    before = _state(sent)
    assert before[0]["delivery"] == 2

    assert record_verdict(late) is False

    assert _state(sent) == before


def test_a_verdict_that_comes_while_the_row_waits_for_its_next_delivery_changes_nothing(sent):
    late = verdict_note(sent, right_verdict())
    Submission.objects.update(state=State.QUEUED, ticket="", lease_until=None)
    before = _state(sent)

    assert record_verdict(late) is False

    assert _state(sent) == before


@pytest.mark.parametrize(
    "forged",
    [
        {"ticket": "0" * 32},
        {"ticket": ""},
        {"delivery": 2},
        {"submission": "00000000-0000-4000-8000-000000000000"},
    ],
)
def test_a_forged_verdict_changes_nothing(sent, forged):
    before = _state(sent)

    assert record_verdict(verdict_note(sent, **forged)) is False

    assert _state(sent) == before


def test_no_verdict_reaches_a_row_that_was_never_sent_by_an_empty_ticket(exercise):
    queued = submit(make_user(), exercise, kind=Kind.SUBMIT, source=SOLUTION)
    before = _state(queued)

    assert record_verdict(verdict_note(queued)) is False
    assert record_progress(progress_note(queued, check_report())) is False

    assert _state(queued) == before


def test_a_verdict_for_a_submission_taken_back_stays_unread(sent):
    cancel(sent)

    record_verdict(verdict_note(sent, right_verdict()))

    sent.refresh_from_db()
    assert (sent.state, sent.verdict, sent.mark) == (State.CANCELLED, "", None)
    assert not sent.results.exists()


def test_progress_appears_check_by_check_and_a_verdict_replaces_it(sent):
    record_progress(progress_note(sent, check_report("values")))
    record_progress(progress_note(sent, check_report("values", holds=False), check_report("unchanged")))

    assert list(sent.results.values_list("check_id", "outcome")) == [("values", "fails"), ("unchanged", "holds")]

    record_verdict(verdict_note(sent, right_verdict(checks=(check_report("values"),))))
    assert list(sent.results.values_list("check_id", "outcome")) == [("values", "holds")]


def test_progress_extends_no_lease(sent):
    record_progress(progress_note(sent, check_report()))

    assert Submission.objects.get(pk=sent.pk).lease_until == sent.lease_until


def test_late_progress_after_the_verdict_changes_nothing(sent):
    late = progress_note(sent, check_report("values", holds=False))
    record_verdict(verdict_note(sent, right_verdict()))
    before = _state(sent)

    assert record_progress(late) is False

    assert _state(sent) == before


def test_an_operators_fault_sends_the_submission_again_and_then_ends_it_without_charge(sent):
    deliveries = []
    for _ in range(MAX_DELIVERIES):
        sent.refresh_from_db()
        deliveries.append(sent.delivery)
        record_verdict(verdict_note(sent, operator_verdict()))
        dispatch()

    sent.refresh_from_db()
    assert deliveries == [1, 2, 3]
    assert (sent.state, sent.fault_of, sent.mark) == (State.FINISHED, "operator", None)


def test_an_authors_fault_ends_the_submission_without_a_mark(sent):
    record_verdict(verdict_note(sent, Verdict(Outcome.BROKEN_EXERCISE, "This exercise is broken.")))

    sent.refresh_from_db()
    assert (sent.state, sent.fault_of, sent.mark) == (State.FINISHED, "author", None)


def test_a_run_earns_nothing_even_if_the_judge_says_so(exercise, broker, judge):
    run = submit(make_user(), exercise, kind=Kind.RUN, source=SOLUTION)
    dispatch()
    run.refresh_from_db()

    record_verdict(verdict_note(run, right_verdict(checks=(), examples=(check_report("pair"),))))

    run.refresh_from_db()
    assert (run.state, run.mark) == (State.FINISHED, None)
    assert [(result.check_id, result.is_example) for result in run.results.all()] == [("pair", True)]
    assert not Submission.objects.counted().exists()


def test_marks_are_kept_to_four_places_rounded_half_up(sent):
    Submission.objects.update(marks_available=Decimal("0.5000"))

    record_verdict(verdict_note(sent, wrong_verdict(marks_fraction="0.3333")))

    sent.refresh_from_db()
    assert sent.mark == Decimal("0.1667")


def test_a_place_that_a_verdict_frees_goes_to_the_next_in_line(
    exercise, broker, judge, django_capture_on_commit_callbacks
):
    rows = [submit(make_user(), exercise, kind=Kind.SUBMIT, source=SOLUTION) for _ in range(3)]
    dispatch()
    first = Submission.objects.get(pk=rows[0].pk)

    with django_capture_on_commit_callbacks(execute=True):
        record_verdict(verdict_note(first))

    assert Submission.objects.get(pk=rows[2].pk).state == State.SENT


@pytest.mark.only_on("sqlite")
@pytest.mark.django_db(transaction=True)  # a full SQLite takes a whole transaction back
def test_a_verdict_without_room_uses_up_no_delivery_and_is_asked_for_again(sent):
    large = wrong_verdict(output="x" * 60_000)

    for _ in range(MAX_DELIVERIES + 1):
        sent.refresh_from_db()
        with _full_database(), pytest.raises(OperationalError, match="full"):
            record_verdict(verdict_note(sent, large))
        dispatch()

    sent.refresh_from_db()
    assert (sent.state, sent.delivery) == (State.SENT, 1)
    assert record_verdict(verdict_note(sent, large)) is True


@contextlib.contextmanager
def _full_database() -> Iterator[None]:
    """Let SQLite's file grow by no page in the block; what fits into those that are there is still written."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        pages = cursor.execute("PRAGMA page_count").fetchone()[0]
        cursor.execute(f"PRAGMA max_page_count = {pages}")
        yield
        cursor.execute("PRAGMA max_page_count = 1000000000")
