"""What an exercise says to learners: short, whole, and in the words of its brief."""

from dataclasses import replace

import pytest

from grader.judge.phrasebook import faults_of, page_of
from tests.judge.benches import exercises, scored


@pytest.mark.parametrize("slug", sorted(exercises()))
def test_messages_of_an_exercise_have_no_fault(slug: str) -> None:
    assert faults_of(exercises()[slug], scored(slug)) == []


@pytest.mark.parametrize(
    ("hint", "fault"),
    [
        ("Look again.", "2 words"),
        ("Print the shape after every step and compare it with the brief", "no sentence"),
        ("Open /srv/courseware/checks.py and read there what it is that the judge wants to see.", "names a file"),
        ("Multiply the matrix R by hidden_weights and print what comes out of it at every step.", "names R"),
        (
            "Multiply your weights by hidden_weights and print what comes out of it at every step.",
            "names hidden_weights",
        ),
        (" ".join(["word"] * 31) + ".", "31 words"),
        ("Print the weights. Those of one query add up to 1, and each output is a mean.", "what to try"),
    ],
)
def test_fault_in_a_hint_is_found(hint: str, fault: str) -> None:
    exercise = exercises()["scores"]
    checks = (replace(exercise.checks[0], hint=hint), *exercise.checks[1:])

    assert any(fault in each for each in faults_of(replace(exercise, checks=checks), scored("scores")))


def test_page_shows_each_check_as_it_fails_and_each_wrong_program() -> None:
    exercise = exercises()["scores"]

    page = "\n".join(page_of(exercise, scored("scores")))

    assert all(f"**{check.title}**" in page and check.hint in page for check in exercise.checks)
    assert all(variant.likeness in page and variant.detail in page for variant in exercise.variants)
    assert " at width 64; got: " in page and "FAULT" not in page
