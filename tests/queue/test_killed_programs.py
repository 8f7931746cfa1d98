"""Programs that are killed in the middle of their work: every submission still gets its one verdict.

| case | what went wrong elsewhere | test |
|---|---|---|
| B38 the same job twice | a second attempt, a grade set back | `test_answers.py::test_an_order_that_the_broker_hands_out_twice_ends_in_one_verdict`, `…::test_a_second_verdict_changes_no_field_of_the_first`, `…::test_a_late_verdict_of_an_earlier_delivery_changes_no_field` |
| B38 the broker restarted under a job | the job again, or gone | `test_servers_that_go_away.py::test_a_broker_that_goes_away_under_a_submission_costs_it_nothing` |
| B39 stuck in grading: a worker killed | "initialized" for ever | `test_a_killed_judge_costs_a_lease_and_no_submission`, `test_a_kill_inside_the_judge_costs_neither_the_submission_nor_a_second_verdict`, `test_a_killed_recorder_finds_the_verdict_when_it_is_back` |
| B39 no worker for a while | the same | `test_a_recorder_that_is_away_for_longer_than_a_lease_writes_one_verdict`, `test_without_the_periodic_jobs_submissions_are_graded_and_lost_ones_wait_for_them`, `test_broker_that_is_down.py::test_a_submission_while_the_broker_is_down_is_stored_and_graded_when_it_is_back` |
| B39 a full disk | the same | `test_full_disk.py::test_a_program_is_stored_or_its_learner_is_told`, `…::test_a_verdict_that_finds_no_room_is_written_when_there_is_some`; of a guest: `tests/judge/test_resource_verdicts.py::test_what_the_sandbox_refuses_is_said_in_plain_words` |
| B39 what the page says | nothing, or 0 points | `tests/grader_site/test_waiting_pages.py::test_without_a_judge_the_page_says_that_it_waits_and_why`, `…::test_a_grader_that_has_gone_silent_is_not_said_to_be_running`, `tests/grader_site/test_verdict_pages.py::test_a_fault_of_ours_says_so_and_keeps_its_reason_from_the_learner` |
| B40 a job lost with its worker | lost, or back for ever | `tests/grader_site/test_dispatching.py::test_after_three_deliveries_a_row_ends_as_the_operators_fault_and_charges_nothing` |
| B40 others behind a job that kills | lost with it | `test_a_program_that_takes_all_memory_costs_those_behind_it_nothing` |
| B44 a class at once | limits shared between processes | `test_thirty_learners_at_once_all_pass` |
"""  # noqa: E501

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


def test_a_program_that_takes_all_memory_costs_those_behind_it_nothing(running):
    greedy = "keep = []\nwhile True:\n    keep.append(bytearray(1 << 26))\n"
    people = running.ask("make_people", 6)

    first = running.ask("submit_as", people[0], greedy)
    others = [running.ask("submit_as", person, f"{RIGHT}\n# {person}\n") for person in people[1:]]

    assert running.verdict_of(first)["verdict"] == "memory"
    assert [running.verdict_of(each)["verdict"] for each in others] == ["right"] * 5
    assert {running.ask("row", each)["delivery"] for each in (first, *others)} == {1}


def test_thirty_learners_at_once_all_pass(running):
    people = running.ask("make_people", 30)

    submissions = [running.ask("submit_as", person, f"{RIGHT}\n# {person}\n") for person in people]

    assert [running.verdict_of(each)["verdict"] for each in submissions] == ["right"] * 30
