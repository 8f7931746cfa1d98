"""Code that is sent again unchanged: what is answered at once, what is judged anew, and what the page says of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from grader.models import Kind, State, Submission
from grader.submissions import submit
from grader.verdicts import Outcome
from tests.factories import make_user
from tests.grader_site.answers import graded, operator_verdict, page_of, right_verdict, wrong_verdict

pytestmark = pytest.mark.django_db
SOURCE = "def attention(Q, K, V):\n    return V\n"


def _again(first, attention, *, kind=Kind.SUBMIT, source=SOURCE, user=None) -> Submission:
    return submit(user or first.user, attention, kind=kind, source=source)


def _with_its_current_exercise(submission, attention) -> Submission:
    submission.refresh_from_db()
    assert submission.exercise_digest == attention.digest
    return submission


@pytest.fixture
def first(learner, broker, attention):
    return _with_its_current_exercise(graded(learner, broker, wrong_verdict(), source=SOURCE), attention)


def test_the_same_code_has_the_same_verdict_at_once_and_says_so(first, attention, client):
    again = _again(first, attention)

    assert (again.state, again.same_as, again.delivery) == (State.FINISHED, first.number, 0)
    assert (again.verdict, again.mark, again.misconception_ids) == (first.verdict, first.mark, first.misconception_ids)
    assert [(each.check_id, each.outcome) for each in again.results.all()] == [
        (each.check_id, each.outcome) for each in first.results.all()
    ]
    assert first.results.count() == 2
    assert f"This is the program of submission {first.number}:" in page_of(client, again)
    assert "This is the program" not in page_of(client, first)


@pytest.mark.parametrize(
    "source",
    [
        SOURCE + "\n",
        "# a try\n" + SOURCE,
        SOURCE.replace("    ", "  "),
        SOURCE.replace("(Q, K, V)", "( Q,K,\n        V )"),
    ],
    ids=["an empty line", "a comment", "narrow", "spaces"],
)
def test_comments_and_layout_make_no_other_program(first, attention, source):
    assert _again(first, attention, source=source).same_as == first.number


def test_an_error_is_looked_for_again_since_it_names_its_line(learner, broker, attention):
    error = wrong_verdict(outcome=Outcome.ERROR)
    first = _with_its_current_exercise(graded(learner, broker, error, source=SOURCE), attention)

    assert _again(first, attention, source="# a try\n" + SOURCE).same_as is None


def test_what_python_cannot_read_is_the_same_only_where_it_is_equal(learner, broker, attention):
    source = "def attention(Q, K, V:\n"
    first = _with_its_current_exercise(graded(learner, broker, wrong_verdict(), source=source), attention)

    assert _again(first, attention, source=source).same_as == first.number
    assert _again(first, attention, source=source + "# a try\n").same_as is None


def test_what_is_not_the_same_is_judged(first, attention):
    others = [
        _again(first, attention, source=SOURCE.replace("return V", "return Q")),
        _again(first, attention, kind=Kind.RUN),
        _again(first, attention, user=make_user()),
    ]

    assert {(each.state, each.same_as) for each in others} == {(State.QUEUED, None)}


def test_an_exercise_that_was_changed_since_judges_the_same_code_anew(first, attention):
    Submission.objects.update(exercise_digest="0" * 64)

    assert _again(first, attention).state == State.QUEUED


def test_a_verdict_of_yesterday_is_found_anew_however_often_it_was_repeated(first, attention):
    _again(first, attention)
    Submission.objects.filter(pk=first.pk).update(finished_at=timezone.now() - timedelta(hours=2))

    assert _again(first, attention).state == State.QUEUED


@pytest.mark.parametrize("outcome", [Outcome.TIME, Outcome.MEMORY])
def test_a_limit_may_be_kept_at_another_hour(learner, broker, attention, outcome):
    first = graded(learner, broker, right_verdict(outcome=outcome, marks_fraction="0.0000"), source=SOURCE)

    assert _again(first, attention).state == State.QUEUED


def test_a_fault_of_ours_is_never_repeated(learner, broker, attention):
    first = graded(learner, broker, right_verdict(), source=SOURCE)
    Submission.objects.filter(pk=first.pk).update(
        verdict=Outcome.OPERATOR.value, fault_of=operator_verdict().owner.value, mark=None
    )

    assert _again(first, attention).state == State.QUEUED
