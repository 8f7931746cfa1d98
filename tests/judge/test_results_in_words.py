"""What came in place of an array, in words: whole, in plain English, and with what to try."""

import pytest

from grader.judge.results_in_words import result_in_words, tuple_in_words
from grader.judge.wording import listed, without_our_places
from grader.sandbox.replies import WrongType


@pytest.mark.parametrize(
    ("type_name", "position", "words"),
    [
        ("NoneType", None, "None: does every path end in a return?"),
        ("NoneType", 1, "a tuple whose item 1 is None"),
        ("list", None, "a list: np.array makes an array of it"),
        ("list", 0, "a tuple whose item 0 is a list"),
        ("ellipsis", None, "an ellipsis"),
        ("function", None, "a function: is a pair of brackets missing behind its name?"),
        ("type", None, "a class: is a pair of brackets missing behind its name?"),
        ("ndarray of object", None, "an array of Python objects"),
        ("MaskedArray of float64", None, "a MaskedArray of float64: filled makes a plain array of it"),
        ("x" * 200, None, "a " + "x" * 60),
    ],
)
def test_wrong_result_is_told_in_words(type_name: str, position: int | None, words: str) -> None:
    assert result_in_words(WrongType(type_name, position), "array") == words


def test_list_of_tensors_is_told_how_to_become_a_tensor() -> None:
    assert "torch.stack" in result_in_words(WrongType("list", None), "tensor")


def test_tuple_of_one_value_is_a_comma_too_many() -> None:
    assert tuple_in_words(1) == "a tuple of one value: is there a comma behind it?"
    assert tuple_in_words(2) == "a tuple of 2 values"


def test_names_are_listed_as_in_a_sentence() -> None:
    assert [listed(["Q", "K", "V"][:count]) for count in (1, 2, 3)] == ["Q", "Q and K", "Q, K and V"]


def test_warning_that_names_a_line_of_ours_loses_its_place_and_keeps_its_words() -> None:
    ours = "/tmp/x/sandbox/inside/guest.py:114: RuntimeWarning: never awaited\n  answer = 1\n"
    printed = f"mine\n{ours}attention.py:2: Mine: x\n"

    assert without_our_places(printed) == "mine\nRuntimeWarning: never awaited\nattention.py:2: Mine: x\n"
