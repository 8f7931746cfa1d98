"""Verdicts that nobody should believe, sent by somebody who holds the judge's place at the broker."""

import time
import uuid

import pytest

from grader.messages import Delivery, VerdictNote
from tests.grader_site.answers import right_verdict, wrong_verdict
from tests.processes import wait_until
from tests.queue.running import RIGHT, SLOW

pytestmark = [pytest.mark.slow, pytest.mark.sandbox]

VERDICT = "recorder.verdict"


def _note(row, verdict=None, **changes):
    sent = {"submission": row["id"], "delivery": row["delivery"], "ticket": row["ticket"]} | changes
    return VERDICT, VerdictNote(Delivery(**sent), "judge-1", verdict or right_verdict()).to_message()


@pytest.fixture
def sent(running):
    """A submission that is with a judge, which stands still like everybody who could send it again."""
    running.pause("periodic", "judge")
    # Redis would still hand the next order to the read in which the judge was stopped; that one ends after a second.
    time.sleep(1.2)
    submission = running.ask("submit_as", f"{uuid.uuid4()}@example.org", RIGHT)
    row = running.ask("row", submission)
    assert row["state"] == "sent"
    return row


def test_forged_verdicts_change_no_field_and_the_judges_own_still_counts(running, sent):
    other = running.ask("row", running.ask("submit_as", "another@example.org", RIGHT))
    assert other["state"] == "sent"

    running.say_and_wait(
        _note(sent, ticket="0" * 32),
        _note(sent, ticket=other["ticket"]),
        _note(sent, submission=other["id"]),
        _note(sent, submission=str(uuid.uuid4())),
        _note(sent, delivery=sent["delivery"] + 1),
        (VERDICT, {"submission": sent["id"]}),
        (VERDICT, _note(sent)[1] | {"extra": 1}),
        ("recorder.progress", _note(sent)[1]),
    )

    assert running.ask("row", sent["id"]) == sent
    assert running.ask("row", other["id"]) == other
    running.resume("judge", "periodic")
    assert running.verdict_of(sent["id"])["verdict"] == "right"
    assert running.verdict_of(other["id"])["verdict"] == "right"


def test_a_second_verdict_changes_no_field_of_the_first(running, sent):
    running.say_and_wait(_note(sent, wrong_verdict()))
    first = running.ask("row", sent["id"])

    running.say_and_wait(_note(sent, right_verdict()), _note(sent, wrong_verdict()))
    running.resume("judge", "periodic")  # whose own answer, right and in good faith, is the fourth

    assert (first["state"], first["verdict"]) == ("finished", "wrong")
    refused = f"verdict refused: submission {sent['id']}"
    wait_until(lambda: running.said_by("recorder").count(refused) == 3)
    assert running.ask("row", sent["id"]) == first


def test_a_late_verdict_of_an_earlier_delivery_changes_no_field(running, sent):
    running.resume("periodic")  # sends it again, since its lease runs out
    again = wait_until(lambda: (row := running.ask("row", sent["id"]))["delivery"] > 1 and row["ticket"] and row)
    running.pause("periodic")

    running.say_and_wait(_note(sent, wrong_verdict()))

    assert running.ask("row", sent["id"]) == again
    running.resume("judge", "periodic")
    assert running.verdict_of(sent["id"])["verdict"] == "right"


def test_an_order_that_the_broker_hands_out_twice_ends_in_one_verdict(running, sent):
    running.repeat_messages("judge.interactive")

    running.resume("judge", "periodic")

    assert running.verdict_of(sent["id"])["verdict"] == "right"
    wait_until(lambda: f"verdict refused: submission {sent['id']}" in running.said_by("recorder"))
    assert running.verdicts_written(sent["id"]) == 1


def test_a_verdict_for_a_submission_taken_back_is_not_written_into_it(running):
    submission = running.ask("submit_as", "changed-their-mind@example.org", SLOW)
    wait_until(running.guests)
    assert running.ask("take_back", submission)
    taken_back = running.ask("row", submission)

    # The judge answers in good faith; that frees its place, and nothing else comes of it.
    freed = wait_until(lambda: (row := running.ask("row", submission))["ticket"] == "" and row)

    assert taken_back["state"] == "cancelled"
    assert freed == taken_back | {"ticket": "", "lease_until": None}


def test_the_same_rule_submitted_twice_is_graded_twice_to_the_same_end(running):
    first = running.verdict_of(running.ask("submit_as", "twice@example.org", RIGHT))
    running.pause("periodic", "judge")
    worded_otherwise = RIGHT + "\nTRY = 2\n"
    second = running.ask("submit_as", "twice@example.org", worded_otherwise)

    refused = running.ask("submit_as", "twice@example.org", worded_otherwise)

    assert refused == "Submission 2 is with a grader. Wait for its verdict, or take it back first."
    running.resume("judge", "periodic")
    ended = running.verdict_of(second)
    assert (first["number"], ended["number"]) == (1, 2)
    assert first["behaviour_signature"] != ""
    assert [(row["verdict"], row["mark"], len(row["results"])) for row in (first, ended)] == [
        ("right", "10.0000", len(first["results"]))
    ] * 2
    again = running.ask("row", running.ask("submit_as", "twice@example.org", worded_otherwise))
    assert (again["state"], again["verdict"], again["delivery"], again["same_as"]) == ("finished", "right", 0, 2)
