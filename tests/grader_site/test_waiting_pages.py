"""What a page says while a submission waits or is graded."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from grader.dispatching import dispatch
from grader.models import JudgeHost, State, Submission
from grader.submissions import record_progress
from grader.words import about
from tests.factories import make_finished, make_judge, make_submission
from tests.grader_site.answers import check_report, page_of, progress_note

pytestmark = pytest.mark.django_db


def test_without_a_judge_the_page_says_that_it_waits_and_why(client, learner):
    page = page_of(client, make_submission(user=learner))

    assert "No grader is running." in page
    assert "Your submission is stored and starts when one is back." in page
    assert "You may leave; it will be graded either way." in page


def test_a_library_that_no_judge_has_is_named(client, learner):
    make_judge(libraries=["pytorch"])

    assert "No grader has NumPy yet." in page_of(client, make_submission(user=learner))


def test_a_broker_that_is_down_is_told(client, learner, broker, django_capture_on_commit_callbacks):
    make_judge()
    broker.break_down()
    submission = make_submission(user=learner)
    dispatch()

    page = page_of(client, submission)

    assert "The way to the graders is down." in page
    broker.come_back()
    dispatch()
    assert "With a grader since" in page_of(client, submission)


def test_the_place_in_line_is_told(client, learner):
    make_judge()
    for minutes in (3, 2):
        make_submission(queued_at=timezone.now() - timedelta(minutes=minutes))

    page = page_of(client, make_submission(user=learner))

    assert "Third in line" in page
    assert "should start" not in page


def test_the_expected_start_is_read_off_those_that_ended_lately(client, learner):
    """Two may be out at once, and each of the last was out for a minute: the third is up after three halves of one."""
    make_judge()
    now = timezone.now()
    for seconds in (1, 60, 3000):
        make_finished(started_at=now - timedelta(seconds=seconds), finished_at=now)
    for minutes in (3, 2):
        make_submission(queued_at=now - timedelta(minutes=minutes))

    assert "Yours should start in about 2 minutes." in page_of(client, make_submission(user=learner))


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.01, "5 seconds"), (12, "10 seconds"), (46, "a minute"), (100, "2 minutes")]
)
def test_a_length_of_time_is_said_as_roughly_as_it_is_known(seconds, words):
    assert about(seconds) == words


def test_after_a_minute_the_page_says_once_more_that_nobody_need_stay(client, learner):
    page = page_of(client, make_submission(user=learner, number=1, queued_at=timezone.now() - timedelta(seconds=61)))

    assert "You may leave: submission 1 is kept, and its verdict will stand here." in page


def test_a_running_submission_tells_its_check_and_how_many_there_are(client, learner, broker, attention):
    make_judge()
    submission = make_submission(user=learner)
    dispatch()
    submission.refresh_from_db()
    assert f"Running, check 1 of {len(attention.checks)}" in page_of(client, submission)

    record_progress(progress_note(submission, check_report("shape"), check_report("values", holds=False)))

    page = page_of(client, submission)
    status = client.get(reverse("submission_status", args=[submission.pk])).json()
    assert f"Running, check 3 of {len(attention.checks)}" in page
    for found in (page, status["found"]):
        assert 'Check shape <span class="quiet">holds' in found
        assert 'Check values <span class="quiet">fails' in found


def test_the_status_is_a_part_of_the_page_until_the_end(client, learner):
    submission = make_submission(user=learner)
    address = reverse("submission_status", args=[submission.pk])

    waiting = client.get(address).json()
    Submission.objects.update(state=State.CANCELLED)
    ended = client.get(address).json()

    assert "No grader is running." in waiting["html"]
    assert (waiting["final"], ended) == (False, {"final": True})


def test_taking_it_back_leads_to_a_page_that_says_so(client, learner):
    submission = make_submission(user=learner)

    answer = client.post(reverse("submission_cancel", args=[submission.pk]), follow=True)

    assert "was taken back" in answer.content.decode()


def test_a_waiting_page_can_be_asked_again_without_a_script(client, learner):
    assert "Look again" in page_of(client, make_submission(user=learner))


def test_a_grader_that_has_gone_silent_is_not_said_to_be_running(client, learner, broker):
    judge = make_judge()
    submission = make_submission(user=learner)
    dispatch()
    JudgeHost.objects.filter(pk=judge.pk).update(seen_at=timezone.now() - timedelta(minutes=5))

    page = page_of(client, submission)

    assert "Its grader has gone silent." in page
    assert "Running" not in page
