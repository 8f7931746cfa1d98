"""Of every question about a faulty line: the program with its line mended is right, and as it stands it is wrong.

What its explanations say of single lines, and the numbers that they and the steps and pairs print, is tried with NumPy.
"""

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, softmax

ATTENTION, SELF_ATTENTION, MASK = (
    yaml.safe_load((MODULE / "concepts" / folder / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    for folder in ("03-scaled-dot-product-attention", "05-self-attention", "07-causal-mask")
)


def question(bank, question_id):
    return next(each for each in bank if each["id"] == question_id)


def texts(entry):
    """All explanations of a question, with their line breaks taken out."""
    parts = entry.get("lines") or entry.get("options") or entry.get("steps")
    parts = parts or entry["premises"] + entry["responses"]
    return " ".join(" ".join(part["why"].split()) for part in parts)


def function(entry, arguments, *, mended):
    """The body of a question's program as a function, its faulty line mended or not."""
    lines = [line["fix"] if mended and line.get("right") else line["code"] for line in entry["lines"]]
    names = {"np": np, "softmax": softmax}
    exec(f"def body({arguments}):\n" + "\n".join(f"    {line}" for line in lines), names)  # the repository's own text
    return names["body"]


def random_matrices(*shapes):
    generator = np.random.default_rng(11)
    return [generator.standard_normal(shape) for shape in shapes]


def test_the_softmax_over_the_wrong_axis_is_the_only_fault_of_its_program():
    entry = question(ATTENTION, "which-axis")
    queries, keys, values = random_matrices((2, 4), (5, 4), (5, 3))
    expected = softmax(queries @ keys.T / np.sqrt(4)) @ values
    faulty = function(entry, "queries, keys, values", mended=False)

    assert np.allclose(function(entry, "queries, keys, values", mended=True)(queries, keys, values), expected)
    assert not np.allclose(faulty(queries, keys, values), expected)
    assert expected.shape == (2, 3)
    # "With a single query …: every share comes out as 1."
    assert np.allclose(faulty(queries[:1], keys, values), values.sum(axis=0))


def test_the_numbers_about_the_lines_of_attention_are_right():
    said = texts(question(ATTENTION, "which-axis"))

    assert f"at width 64 it would leave a spread of {np.sqrt(64) / 64} where the root leaves 1" in said
    for scores in ([3.0, 1.0], [0.0, -2.0]):
        shares = softmax(np.array(scores))
        assert f"both pairs give {shares[0]:.3f} and {shares[1]:.3f}" in said


def test_the_divisor_of_the_length_is_the_only_fault_of_its_program():
    entry = question(SELF_ATTENTION, "which-divisor")
    arguments = "X, W_Q, W_K, W_V, W_O"
    given = random_matrices((4, 6), (6, 3), (6, 3), (6, 2), (2, 6))
    tokens, to_query, to_key, to_value, back = given
    scores = tokens @ to_query @ (tokens @ to_key).T / np.sqrt(3)
    expected = softmax(scores) @ tokens @ to_value @ back

    assert np.allclose(function(entry, arguments, mended=True)(*given), expected)
    assert not np.allclose(function(entry, arguments, mended=False)(*given), expected)
    # Three tokens and keys three wide: the fault goes unseen.
    alike = [tokens[:3], *given[1:]]
    assert np.allclose(
        function(entry, arguments, mended=False)(*alike), function(entry, arguments, mended=True)(*alike)
    )
    assert "On the card's example the first column adds up to 0.9276" in texts(entry)


def test_the_open_diagonal_is_all_that_the_masked_program_lacks():
    entry = question(MASK, "first-row-missing")
    given = random_matrices((3, 4), (3, 4), (3, 2))
    scores = given[0] @ given[1].T / np.sqrt(4)
    weights = softmax(np.where(np.tri(3, dtype=bool), scores, -np.inf))
    faulty = function(entry, "Q, K, V", mended=False)(*given)

    assert np.allclose(function(entry, "Q, K, V", mended=True)(*given), weights @ given[2])
    assert np.isnan(faulty[0]).all()  # as the stem says
    assert np.isfinite(faulty[1:]).all()
    assert list(weights[0]) == [1, 0, 0]
    assert np.allclose(faulty[2], softmax(scores[2, :2]) @ given[2][:2])  # "query 3 keeps keys 1 and 2"


def test_the_numbers_of_the_steps_of_one_query_are_right():
    said = texts(question(ATTENTION, "steps-of-one-query"))
    powers = np.array([1, 0.5, 0.5])

    assert "With 1, 0.5 and 0.5 it is 2, and the weights are 0.5, 0.25 and 0.25" in said
    assert powers.sum() == 2
    assert list(powers / powers.sum()) == [0.5, 0.25, 0.25]
    assert "Taken of a score of 1,000 itself" in said
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float64(1000)))


def test_the_counts_of_the_pairs_are_right():
    assert "one entry fewer in each row: 3, 2, 1 and 0, a triangle" in texts(question(MASK, "what-may-be-seen"))
    assert list(np.triu(np.ones((4, 4)), k=1).sum(axis=1)) == [3, 2, 1, 0]
    assert "4 queries and 9 keys give 36 weights" in texts(question(MASK, "what-may-be-seen"))
    assert 4 * 9 == 36


@pytest.mark.parametrize("height", ["1.5", "150"])
def test_the_height_of_equal_scores_does_not_matter(capsys, height):
    entry = question(ATTENTION, "equal-scores")
    exec(entry["code"].replace("1.5", height), {})  # the repository's own text

    assert "with 150 in place of 1.5 the same would be printed" in texts(entry)
    assert capsys.readouterr().out.rstrip() == next(each["output"] for each in entry["options"] if each.get("right"))
