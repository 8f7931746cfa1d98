"""When the explanation of a verdict opens: five at once, then one every two minutes. Marks and checks always show."""

from datetime import timedelta

import pytest
from django.utils import timezone

from grader.models import Submission
from grader.revealing import AT_ONCE, REFILL, opens_at
from tests.factories import make_finished, make_user
from tests.grader_site.answers import page_of

pytestmark = pytest.mark.django_db
EVIDENCE = {
    "diagnosis": {"wording": "exact", "misconception": "m03-no-scale", "sentence": "It behaves exactly like no scale."},
    "sentence": "2 of 8 checks hold.",
}
SAID = "It behaves exactly like no scale."


def submitted(user, ages: list[float], **fields) -> list[Submission]:
    """Finished submissions of these ages in seconds, the oldest first."""
    made = []
    for age in ages:
        fields = {"evidence": EVIDENCE, "misconception_ids": ["m03-no-scale"]} | fields
        made.append(make_finished(user=user, **fields))
        Submission.objects.filter(pk=made[-1].pk).update(queued_at=timezone.now() - timedelta(seconds=age))
        made[-1].refresh_from_db()
    return made


def test_the_first_five_open_at_once():
    assert [opens_at(each) for each in submitted(make_user(), [50, 40, 30, 20, 10])] == [None] * AT_ONCE


def test_the_sixth_opens_two_minutes_after_the_first_of_five():
    first, *_, sixth = submitted(make_user(), [60, 50, 40, 30, 20, 10])

    assert opens_at(sixth) == first.queued_at + REFILL


def test_each_further_one_waits_two_minutes_more():
    first, *_, last = submitted(make_user(), [70, 60, 50, 40, 30, 20, 10])

    assert opens_at(last) == first.queued_at + 2 * REFILL


def test_whoever_reads_for_two_minutes_before_each_try_never_waits():
    assert all(opens_at(each) is None for each in submitted(make_user(), [120 * place for place in range(20, 0, -1)]))


def test_what_others_or_other_exercises_use_counts_for_nobody_else():
    user = make_user()
    submitted(make_user(), [30] * 6)
    submitted(user, [30] * 6, exercise="softmax")

    assert opens_at(submitted(user, [1])[0]) is None


def test_code_sent_again_opens_when_the_first_one_does():
    user = make_user()
    *_, sixth = submitted(user, [60, 50, 40, 30, 20, 10])
    again = submitted(user, [5], same_as=sixth.number)[0]

    assert opens_at(again) == opens_at(sixth)


def test_a_closed_explanation_shows_what_failed_and_when_it_opens(client, learner):
    *_, fifth, sixth = submitted(learner, [60, 50, 40, 30, 20, 10])

    assert SAID in page_of(client, fifth)
    closed = page_of(client, sixth)
    assert SAID not in closed and "m03-no-scale" not in closed
    assert "2 of 8 checks hold." in closed
    assert "The explanation opens at" in closed
