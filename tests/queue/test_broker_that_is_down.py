"""A broker that is away for a while: what was submitted meanwhile is kept, and the page says how it stands."""

import time

import pytest

from tests.queue.running import RIGHT

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


@pytest.mark.parametrize("running", ["servers"], indirect=True)
def test_a_submission_while_the_broker_is_down_is_stored_and_graded_when_it_is_back(running, redis):
    """The broker comes back empty: what lay in it is not needed."""
    with redis.away():
        began = time.monotonic()

        page = running.ask("submit_by_page", "patient@example.org", RIGHT)

        submission = running.ask("newest", "patient@example.org")
        assert time.monotonic() - began < 10  # a second on an idle machine; left to itself, Celery would try for ever
        assert "The way to the graders is down." in page
        assert "Your submission is stored and is sent when it is back." in page
        row = running.ask("row", submission)
        assert (row["state"], row["delivery"], row["ticket"], row["source"]) == ("queued", 0, "", RIGHT)

    ended = running.verdict_of(submission)
    assert (ended["verdict"], ended["delivery"]) == ("right", 1)
    assert "down" not in running.ask("page", submission)
