import pytest

from quizzes.templatetags.voices import theirs


@pytest.mark.parametrize(
    ("label", "heard"),
    [
        ("Your pick, the answer", "Their pick, the answer"),
        ("Also offered", "Also offered"),
        ("Line 3, your pick", "Line 3, their pick"),
    ],
)
def test_staff_hear_of_the_learners_pick(label, heard):
    assert theirs(label) == heard
