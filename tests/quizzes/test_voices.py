import pytest

from quizzes.templatetags.voices import said_of


@pytest.mark.parametrize(
    ("label", "is_staff", "heard"),
    [
        ("Your pick, the answer", False, "Your pick, the answer"),
        ("Your pick, the answer", True, "Their pick, the answer"),
        ("Your answer", "", "Your answer"),  # a variable that a template does not set
        ("Also offered", True, "Also offered"),
    ],
)
def test_label_speaks_to_its_reader(label, is_staff, heard):
    assert said_of(label, is_staff) == heard
