"""Programs that are killed in the middle of their work: every submission still gets its one verdict.

The same job twice .............. test_answers: an order handed out twice, a second and a late verdict
Stuck in grading ................ here, with the judge, its zygote, its supervisor, the recorder and the jobs killed
A job lost with its worker ...... here: a lease, and after three of them test_dispatching: the operator's fault
Broker or database away ......... test_broker_that_is_down, test_servers_that_go_away
A clock that is set back ........ test_dispatching, test_pace
"""

import time

import pytest

from tests.processes import is_running, wait_until
from tests.queue.running import GRACE_SECONDS, LIMIT_SECONDS, RIGHT, SLOW

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]


def test_a_killed_judge_costs_a_lease_and_no_submission(running):
    """Two are out when it dies: one under its hands, one at its door."""
    slow, waiting = (
        running.ask("submit_as", "one@example.org", SLOW),
        running.ask("submit_as", "two@example.org", RIGHT),
    )
    guests = wait_until(running.guests)
    # A busy machine may need three leases to start a judge; the jobs hold still that long.
    running.pause("periodic")

    killed = running.kill("judge")

    assert guests <= killed
    wait_until(lambda: not any(is_running(pid) for pid in killed), seconds=5)
    assert running.ask("row", slow)["state"] == "sent"
    running.start_judge()
    running.resume("periodic")
    ended = [running.verdict_of(submission) for submission in (slow, waiting)]
    assert [row["verdict"] for row in ended] == ["right", "right"]
    assert ended[0]["delivery"] > 1
    assert all(len(row["results"]) > 10 for row in ended)
    time.sleep(6)  # a tick of the jobs, and longer than a lease: nothing more arrives
    assert [running.ask("row", submission) for submission in (slow, waiting)] == ended
    assert not running.guests()


def test_a_killed_recorder_finds_the_verdict_when_it_is_back(running):
    submission = running.ask("submit_as", "three@example.org", SLOW)
    wait_until(running.guests)

    running.kill("recorder")
    wait_until(lambda: not running.guests())
    running.start("recorder")

    ended = running.verdict_of(submission)
    assert (ended["verdict"], ended["mark"]) == ("right", "10.0000")


@pytest.mark.parametrize("what", ["zygote", "supervisor"])
def test_a_kill_inside_the_judge_costs_neither_the_submission_nor_a_second_verdict(running, what):
    submission = running.ask("submit_as", f"{what}@example.org", SLOW)
    wait_until(running.guests)

    running.kill_in_the_judge(what)

    ended = running.verdict_of(submission)
    assert (ended["verdict"], ended["mark"]) == ("right", "10.0000")
    running.say_and_wait()
    assert running.verdicts_written(submission) == 1


def test_a_recorder_that_is_away_for_longer_than_a_lease_writes_one_verdict(running):
    """The submission is sent again meanwhile, and the verdicts of both judgings wait for the recorder."""
    submission = running.ask("submit_as", "six@example.org", RIGHT)
    running.kill("recorder")
    wait_until(lambda: running.ask("row", submission)["delivery"] > 1)

    running.start("recorder")

    ended = running.verdict_of(submission)
    assert ended["verdict"] == "right"
    running.say_and_wait()
    assert running.verdicts_written(submission) == 1


def test_without_the_periodic_jobs_submissions_are_graded_and_lost_ones_wait_for_them(running):
    running.kill("periodic")
    assert running.verdict_of(running.ask("submit_as", "four@example.org", RIGHT))["verdict"] == "right"
    running.pause("judge")
    lost = running.ask("submit_as", "five@example.org", RIGHT)

    time.sleep(LIMIT_SECONDS + GRACE_SECONDS + 1)
    assert running.ask("row", lost)["delivery"] == 1
    running.start("periodic")
    wait_until(lambda: running.ask("row", lost)["delivery"] == 2)
    running.resume("judge")

    assert running.verdict_of(lost)["verdict"] == "right"
