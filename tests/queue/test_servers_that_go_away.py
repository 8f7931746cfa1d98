"""Redis and PostgreSQL that go away in the middle of a submission and come back."""

from datetime import datetime

import psycopg
import pytest

from tests.processes import wait_until
from tests.queue.running import RIGHT, SLOW

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.parametrize("running", ["servers"], indirect=True)]


def test_a_broker_that_goes_away_under_a_submission_costs_it_nothing(running, redis):
    """It comes back empty, and the judge's verdict may have gone with it; then the lease brings the submission back."""
    submission = running.ask("submit_as", "steady@example.org", SLOW)
    wait_until(running.guests)

    with redis.away():
        wait_until(lambda: not running.guests())

    assert running.verdict_of(submission)["verdict"] == "right"
    running.say_and_wait()
    assert running.verdicts_written(submission) == 1


def test_a_database_that_is_restarted_under_a_submission_costs_it_nothing(running):
    """For its clients a restart is this: every connection is cut, and for a while none is taken."""
    submission = running.ask("submit_as", "stored@example.org", SLOW)
    wait_until(running.guests)

    with psycopg.connect(running.database_url.rpartition("/")[0] + "/postgres", autocommit=True) as beside:
        beside.execute("ALTER DATABASE courseware ALLOW_CONNECTIONS false")
        beside.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'courseware'")
        try:
            wait_until(lambda: not running.guests())
        finally:
            beside.execute("ALTER DATABASE courseware ALLOW_CONNECTIONS true")

    assert running.verdict_of(submission)["verdict"] == "right"
    running.say_and_wait()
    assert running.verdicts_written(submission) == 1
    after = running.ask("submit_as", "after@example.org", RIGHT)
    assert running.verdict_of(after)["verdict"] == "right"


def test_the_sites_workers_keep_their_connection_to_the_database_from_task_to_task(running):
    """A verdict once waited, as long as for all that it writes, for PostgreSQL to start a process for the recorder."""

    def last_used() -> dict[int, datetime]:
        with psycopg.connect(running.database_url) as beside:
            found = beside.execute(
                "SELECT pid, state_change FROM pg_stat_activity"
                " WHERE datname = 'courseware' AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
            return dict(found.fetchall())

    def is_kept() -> bool:
        running.say_and_wait()
        before = last_used()
        running.say_and_wait()
        after = last_used()
        return any(pid in after and after[pid] > used for pid, used in before.items())

    # Only the recorder works between the two; its connection is made anew once a minute, which may be just then.
    assert any(is_kept() for _ in range(3))
