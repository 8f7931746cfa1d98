"""How fast one learner may submit and save, and that nobody else notices."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.urls import reverse
from django.utils import timezone

from grader import drafts
from grader.drafts import current_draft
from grader.models import Kind, Submission
from grader.quotas import PROGRAMS_PER_MINUTE
from grader.sources import Refused
from grader.submissions import submit
from tests.factories import make_finished, make_submission, make_user
from tests.grader_site.courses import SOLUTION

pytestmark = pytest.mark.django_db
NOON = "2026-11-29T12:00:00Z"


def _submit(user, exercise) -> Submission:
    return submit(user, exercise, kind=Kind.RUN, source=SOLUTION)


def test_one_program_too_many_within_a_minute_is_refused_and_told_when(exercise, time_machine):
    learner = make_user()
    time_machine.move_to(NOON, tick=False)
    for _ in range(PROGRAMS_PER_MINUTE):
        _submit(learner, exercise)
        time_machine.shift(2)

    with pytest.raises(Refused, match=r"Twelve programs .* the next one can go in 36 seconds\."):
        _submit(learner, exercise)

    assert Submission.objects.count() == PROGRAMS_PER_MINUTE
    time_machine.shift(35)
    with pytest.raises(Refused, match=r"in 1 second\."):
        _submit(learner, exercise)
    time_machine.shift(1)
    _submit(learner, exercise)


def test_a_clock_that_is_set_back_makes_nobody_wait_for_the_hour_to_come_round(exercise, time_machine):
    learner = make_user()
    for _ in range(PROGRAMS_PER_MINUTE):
        make_finished(user=learner, exercise="double")

    time_machine.move_to(timezone.now() - timedelta(hours=1))

    _submit(learner, exercise)


def test_refused_program_leaves_the_one_that_waits_where_it_is(exercise):
    learner = make_user()
    for _ in range(PROGRAMS_PER_MINUTE):
        waiting = _submit(learner, exercise)

    with pytest.raises(Refused):
        _submit(learner, exercise)

    waiting.refresh_from_db()
    assert waiting.is_live


def test_pace_counts_one_learner_over_all_exercises(exercise, torch_exercise):
    eager, neighbour = make_user(), make_user()
    for number in range(PROGRAMS_PER_MINUTE):
        _submit(eager, (exercise, torch_exercise)[number % 2])

    with pytest.raises(Refused):
        _submit(eager, exercise)
    _submit(neighbour, exercise)


@pytest.mark.django_db(transaction=True)
def test_programs_sent_at_once_cannot_slip_past_the_count(exercise):
    learner = make_user()
    for _ in range(PROGRAMS_PER_MINUTE - 1):
        _submit(learner, exercise)

    def one(_) -> bool:
        try:
            _submit(learner, exercise)
        except Refused:
            return False
        finally:
            connections.close_all()
        return True

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(one, range(4))) == 1

    assert Submission.objects.count() == PROGRAMS_PER_MINUTE


def test_page_of_a_refused_program_keeps_the_text_and_says_when(client, learner, attention):
    for _ in range(PROGRAMS_PER_MINUTE):
        make_submission(user=learner, state="cancelled")

    answer = client.post(
        reverse("submit", args=["attention"]), {"source": "kept = 1", "revision": "0", "kind": "submit"}
    )

    html = answer.content.decode()
    assert "the next one can go in" in html
    assert "kept = 1" in html
    assert current_draft(learner, attention).source == "kept = 1"


def test_saves_without_end_are_refused_for_a_moment(client, learner, attention, time_machine):
    time_machine.move_to(NOON, tick=False)
    address = reverse("draft_save", args=["attention"])
    save = lambda number: client.post(  # noqa: E731
        address, {"source": f"x = {number}", "revision": str(number)}, headers={"Accept": "application/json"}
    ).json()

    answers = [save(number) for number in range(31)]

    assert [answer.get("revision") for answer in answers] == [*range(1, 31), None]
    assert answers[-1]["refused"].startswith("Very many saves")
    time_machine.shift(16)
    assert save(30)["revision"] == 31


def test_saves_of_one_learner_are_not_counted_against_another(monkeypatch):
    monkeypatch.setattr(drafts, "_SAVES", drafts.Allowance("draft-saves", tries=1, seconds=15))
    one, another = make_user(), make_user()
    drafts.check_pace(one)

    with pytest.raises(Refused):
        drafts.check_pace(one)
    drafts.check_pace(another)
