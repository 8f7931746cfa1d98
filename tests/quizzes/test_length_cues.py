"""A learner who picks by length alone gains nothing, over a bank and over a module."""

from pathlib import Path

import pytest

from courseware.concepts.faults import Faults
from quizzes.length_cues import check_module, key_length
from tests.quizzes.making import TEXTS, make_question

LONGEST = {"The root": "Longest key"}
SHORTEST = {"The root": "Root"}
BETWEEN = {"The root": "The roots"}


def question(edits: dict[str, str]):
    text = TEXTS["single"]
    for old, new in edits.items():
        text = text.replace(f"text: {old},", f"text: {new},")
    return make_question("single", text=text)


def faults_of(longest: int, shortest: int, between: int) -> list[str]:
    faults = Faults()
    edits = [LONGEST] * longest + [SHORTEST] * shortest + [BETWEEN] * between
    check_module(Path("module.yaml"), faults, [question(each) for each in edits])
    return [str(fault) for fault in faults]


@pytest.mark.parametrize(("edits", "length"), [(LONGEST, "longest"), (SHORTEST, "shortest"), (BETWEEN, "between")])
def test_a_key_is_compared_with_its_longest_and_its_shortest_rival(edits, length):
    assert key_length(question(edits)) == length


def test_kinds_without_one_right_option_are_not_counted():
    assert key_length(make_question("multi")) is None
    assert key_length(make_question("numeric")) is None


@pytest.mark.parametrize(
    ("longest", "shortest", "between", "extremes"),
    [
        (3, 3, 14, []),  # 15 % each, the lowest share allowed
        (7, 7, 6, []),  # 35 % each, the highest
        (8, 4, 8, ["longest in 8 of 20"]),
        (4, 8, 8, ["shortest in 8 of 20"]),
        (2, 2, 16, ["longest in 2 of 20", "shortest in 2 of 20"]),
        (19, 0, 0, []),  # too few for shares
    ],
)
def test_shares_are_kept_from_twenty_questions_on(longest, shortest, between, extremes):
    faults = faults_of(longest, shortest, between)

    assert len(faults) == len(extremes)
    for fault, extreme in zip(faults, extremes, strict=True):
        assert fault.startswith("module.yaml:1: concepts")
        assert extreme in fault
