import pytest

from quizzes.expressions import ExpressionError
from quizzes.placeholders import check, fill


def test_values_stand_where_their_placeholders_stood():
    assert fill("[[a]] of [[a / b|3]], about [[a / b]]", {"a": 2, "b": 3}, 1) == "2 of 0.667, about 0.7"


def test_a_minus_is_typographic_in_prose_and_a_hyphen_in_formulas_and_code():
    filled = fill("[[a]], $[[a]]$, $$[[a]]$$, `[[a]]`, [[a]]", {"a": -2}, 1)

    assert filled == "−2, $-2$, $$-2$$, `-2`, −2"


@pytest.mark.parametrize("text", ["[[q]]", "[[a +]]", "[[ ]]", "[[a|x]]", "[[a", "[[1 / (a - 2)]]"])
def test_a_placeholder_without_a_value_is_refused(text):
    with pytest.raises(ExpressionError):
        fill(text, {"a": 2}, 1)


def test_code_with_nested_brackets_needs_no_placeholder_form():
    with pytest.raises(ExpressionError, match="does not begin a placeholder"):
        fill("V = [[4.0], [0.0]]", {}, 1)


@pytest.mark.parametrize("text", ["[[a + b]] and [[1 / a|2]]", "[[a", "[[c]]", "[[sqrt(0 - a)]]", "plain"])
@pytest.mark.parametrize("a", [0, 1])
def test_a_check_refuses_what_filling_would(text, a):
    def refused(verb) -> bool:
        try:
            verb()
        except ExpressionError:
            return True
        return False

    values = {"a": a, "b": 2}
    assert refused(lambda: check(text, [values])) == refused(lambda: fill(text, values, 2))
