"""Every number that the card of concept 1, its bank and its misconceptions print is recomputed here with NumPy.

The texts are read as they stand, so that a number changed on one side only fails. The BLEU scores are those of the
paper that the card names.
"""

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/01-recurrence-to-attention"

ANNOTATIONS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
DOUBLES_THE_SECOND = np.diag([1.0, 2.0])
FIRST, SECOND = np.array([1.0, 0.0]), np.array([0.0, 1.0])  # the decoder's states before two target words


def scores(state: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.tanh(state + ANNOTATIONS @ DOUBLES_THE_SECOND).sum(axis=1)


def pair(vector: NDArray[np.float64]) -> str:
    return rf"({vector[0]:.4f},\;{vector[1]:.4f})"


def test_the_table_of_the_worked_step_is_right(card: str) -> None:
    sums, found = FIRST + ANNOTATIONS @ DOUBLES_THE_SECOND, scores(FIRST)
    weights = softmax(found)

    assert rows_of_table(CONCEPT / "card.md", "source word") == [
        *(
            [str(at + 1), f"({sums[at, 0]:g}, {sums[at, 1]:g})"]
            + [f"{number:.4f}" for number in (found[at], np.exp(found[at]), weights[at])]
            for at in range(3)
        ),
        ["total", "", "", f"{np.exp(found).sum():.4f}", f"{weights.sum():.0f}"],
    ]
    average = "+".join(rf"{weight:.4f}\,({h[0]:g},{h[1]:g})" for weight, h in zip(weights, ANNOTATIONS, strict=True))
    assert f"$$c_1={average}={pair(weights @ ANNOTATIONS)}$$" in card


def test_another_state_gets_other_weights_and_another_context(card: str, misconceptions: str) -> None:
    found, weights = scores(SECOND), softmax(scores(SECOND))

    assert "The scores are then " + "{:.4f}, {:.4f} and {:.4f}, the weights".format(*found) in card
    assert "the weights {:.4f}, {:.4f} and {:.4f}, and the context".format(*weights) in card
    assert f"the context is ${pair(weights @ ANNOTATIONS)}$" in card
    moves = [pair(softmax(scores(state)) @ ANNOTATIONS).replace(r"\;", " ") for state in (FIRST, SECOND)]
    assert f"moves from {moves[0]} to {moves[1]}" in misconceptions
    assert f"source word 3 gets {softmax(scores(FIRST))[2]:.4f} and {weights[2]:.4f} from two target words" in (
        misconceptions
    )
    assert f"the best of three words has {softmax(scores(FIRST)).max():.4f}, less than half" in misconceptions
    assert f"the weaker word still has {softmax(np.array([1.0, 3.0]))[0]:.3f} of the whole" in misconceptions


def test_the_picture_shows_both_steps() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])

    shown = np.array(front["matrix_example"]["matrices"][0]["values"])
    assert np.array_equal(shown, np.array([softmax(scores(FIRST)), softmax(scores(SECOND))]).round(4))
    assert list(np.argsort(-shown)[0, :2] + 1) == [3, 2]  # as its finding says
    assert list(np.argsort(-shown)[1, :2] + 1) == [3, 1]


def test_what_remains_of_a_signal_is_right(card: str, bank: str, misconceptions: str) -> None:
    assert f"After 10 updates {0.9**10:.3f} of it remains, after 50 updates {0.9**50:.3f}." in card
    assert f"at 0.99 and not 0.9 for instance, and then {0.99**50:.3f} remains after 50 updates" in card
    assert (
        f"A gate at 0.99 leaves {0.99**50:.3f} of a signal after 50 updates, where 0.9 would leave {0.9**50:.3f}."
        in (bank)
    )
    assert f"makes {0.99**50:.3f} of {0.9**50:.3f} after them" in misconceptions


def test_the_chart_shows_the_powers() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    chart = front["charts"][0]

    updates = np.array(chart["x"]["values"])
    for kept, line in zip((0.99, 0.9), chart["lines"], strict=True):
        assert line["label"] == f"{kept} kept at each update"
        assert np.array_equal(line["values"], (kept**updates).round(3))


def test_the_room_for_each_word_is_right(card: str, bank: str, misconceptions: str) -> None:
    assert f"With 1,000 entries that is {1000 // 5} numbers for each word of the short" in card
    assert f"{1000 // 50} for each word of the long one" in card
    assert f"1,000 entries are {1000 // 5} each for 5 words and {1000 // 50} each for 50" in bank
    assert "each word of the long sentence has a tenth of the room" in bank
    assert f"a sentence of 50 words has {1000 // 50} numbers for each word, and 2,000 entries" in misconceptions
    assert 2000 / 100 == 1000 / 50


def test_the_counts_of_scores_are_right(card: str) -> None:
    assert f"25 source words and 20 target words make {25 * 20}, and with twice as many of both it is 2,000" in card
    assert 50 * 40 == 2000


@pytest.mark.parametrize(("attention", "without"), [("up to 30 words", "up to 50 words")])
def test_what_the_card_says_of_its_results_follows_from_the_table(card: str, attention: str, without: str) -> None:
    everything = {row[0]: row[1:] for row in rows_of_table(CONCEPT / "card.md", "model")}

    assert float(everything[f"attention, {attention}"][0]) > float(everything[f"summary vector, {without}"][0])
    longer, moses = everything["the same, trained for longer"], everything["Moses, a system built on phrases"]
    assert float(longer[1]) > float(moses[1])
    assert float(longer[0]) < float(moses[0])
    assert "came out ahead of Moses; over all sentences Moses stayed in front" in card


def test_the_single_numbers_of_the_explanations_are_right(bank: str) -> None:
    assert (
        f"With scores of 2 and 0 the second word still has a weight of {softmax(np.array([2.0, 0.0]))[1]:.3f}." in bank
    )
    assert "it came 17 years later" in bank
    assert 2014 - 1997 == 17
    assert "3 states and 5 annotations give 15 sums" in bank


def test_the_counting_question_counts_pairs() -> None:
    task = questions()["recurrence-to-attention/how-many-scores"].task
    for drawn in task.grid():
        assert task.accepts(float(np.ones((int(drawn["Ty"]), int(drawn["Tx"]))).sum()), drawn)


def test_the_weight_question_asks_for_a_softmax() -> None:
    task = questions()["recurrence-to-attention/weight-of-word-one"].task
    for drawn in task.grid():
        weights = softmax(np.array([drawn["e1"], drawn["e2"]]))
        assert task.accepts(weights[0], drawn)
        assert [wrong.cause.id for wrong in task.recognised(weights[1], drawn)] == ["slip-swap"]


@pytest.mark.parametrize("mended", [True, False])
def test_the_axis_is_the_only_fault_of_the_program(mended: bool) -> None:
    entries = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each["lines"] for each in entries if each["id"] == "where-the-sum-runs")
    body = "\n    ".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines)
    names = {"np": np, "softmax": softmax}
    exec(f"def contexts(S, H, Wa, Ua, v):\n    {body}", names)  # the repository's own text
    generator = np.random.default_rng(3)
    states, annotations, to_a, to_b, column = (
        generator.standard_normal(shape) for shape in ((3, 4), (5, 6), (4, 2), (6, 2), (2,))
    )

    found = names["contexts"](states, annotations, to_a, to_b, column)  # type: ignore[operator]

    one_by_one = [softmax(np.tanh(state @ to_a + annotations @ to_b) @ column) @ annotations for state in states]
    assert found.shape == (3, 6)
    assert np.allclose(found, one_by_one) == mended
