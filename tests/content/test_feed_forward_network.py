"""Every number that the feed-forward network's card, bank and misconceptions print is recomputed here with NumPy.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import re
from math import erf, exp

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, questions, rows_of_table

CONCEPT = MODULE / "concepts/10-feed-forward-network"
FRONT = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])

FIRST = np.array([[1, 2, 0], [1, 0, -1]])
SECOND = np.array([[1, 0], [0, 1], [2, -1]])
BIASES = np.array([0, 1, 1]), np.array([0.5, 0])
VECTOR = np.array([1, -2])


def network(vector, *, bend=True):
    inner = vector @ FIRST + BIASES[0]
    return (np.maximum(0, inner) if bend else inner) @ SECOND + BIASES[1]


def listed(numbers):
    return "(" + ", ".join(f"{number:g}".replace("-", "−") for number in numbers) + ")"


def parameters(d, inner):
    return sum(np.empty(shape).size for shape in ((d, inner), (inner,), (inner, d), (d,)))


def test_the_worked_network_is_right():
    inner = VECTOR @ FIRST
    columns = []
    for bent in (np.maximum(0, inner + BIASES[0]), inner + BIASES[0]):
        columns.append([inner, inner + BIASES[0], bent, bent @ SECOND, bent @ SECOND + BIASES[1]])

    assert [row[1:] for row in rows_of_table(CONCEPT / "card.md", "step")] == [
        [listed(bent), listed(plain)] for bent, plain in zip(*columns, strict=True)
    ]
    printed = "\n".join((CONCEPT / "card.md").read_text(encoding="utf-8").split("\n"))
    for name, matrix in (("W_1", FIRST), ("W_2", SECOND)):
        match = re.search(rf"{name}=\\begin{{pmatrix}}(.*?)\\end{{pmatrix}}", printed)
        assert match is not None
        assert np.array_equal([[int(cell) for cell in row.split("&")] for row in match[1].split(r"\\")], matrix)


def test_the_middle_shows_the_bend_as_the_card_says(card):
    places = [VECTOR, -VECTOR, 0 * VECTOR]
    plain = [network(place, bend=False)[0] for place in places]
    bent = [network(place)[0] for place in places]

    assert f"gives {plain[0]:g}, ${plain[1]:g}$ and, halfway, {plain[2]:g}, which is just the middle" in card
    assert (plain[0] + plain[1]) / 2 == plain[2]
    assert f"gives {bent[0]:g}, {bent[1]:g} and {bent[2]:g}, and the middle of the first two would be 4" in card
    assert (bent[0] + bent[1]) / 2 == 4


def test_the_counts_of_parameters_are_right(card, bank, misconceptions):
    base = parameters(512, 2048)

    assert f"In the base model that makes {base:,}, against $4d^2=$ {4 * 512**2:,} for one" in card
    assert f"The base model has {base:,} parameters in each" in bank
    assert f"one pair of matrices to a layer, {2 * 512 * 2048:,} weights" in misconceptions
    assert f"about {6 * base / 1e6:.1f} million parameters together" in misconceptions
    assert f"Together they hold about {6 * base / 1e6:.1f} million" in bank
    assert f"{4 * 512**2 / 1e6:.2f} against {8 * 512**2 / 1e6:.2f} million" in bank
    assert f"that is {4 * 512**2 / 1e6:.1f} against {base / 1e6:.1f} million" in misconceptions
    assert f"both forms have {2 * 768 * 3072:,} weights" in card
    assert 3 * 768 * 2048 == 2 * 768 * 3072
    assert f"{3 * 768 * 3072:,} in place of {2 * 768 * 3072:,} at width 768" in misconceptions
    assert "a quarter of a million weights" in bank  # 512 × 512
    assert round(512 * 512 / 1e6, 2) == 0.26


def test_the_ablation_grows_as_the_card_says(card):
    rows = rows_of_table(CONCEPT / "card.md", "inner width")
    millions = [int(size.split()[0]) for _, size, _ in rows]

    assert np.allclose(np.diff([float(bleu) for _, _, bleu in rows]), 0.4)
    assert f"at the price of {millions[1] - millions[0]} and then of {millions[2] - millions[1]} million" in card
    # Six encoder and six decoder layers: the sizes of the models differ by their feed-forward networks alone.
    for smaller, larger, difference in ((1024, 2048, 12), (2048, 4096, 25)):
        assert 12 * (parameters(512, larger) - parameters(512, smaller)) / 1e6 == pytest.approx(difference, abs=1)


def test_the_activations_are_drawn_as_they_are(card):
    chart = FRONT["charts"]
    drawn = {line["label"]: line["values"] for line in chart["lines"]}
    at = chart["x"]["values"]

    assert drawn["ReLU"] == [max(0, x) for x in at]
    assert np.allclose(drawn["GELU"], [round(x * (1 + erf(x / 2**0.5)) / 2, 4) for x in at])
    assert np.allclose(drawn["Swish"], [round(x / (1 + exp(-x)), 4) for x in at])
    gelu = dict(zip(at, drawn["GELU"], strict=True))
    assert f"GELU turns 1 into {gelu[1]} and $-1$ into $-{-gelu[-1]}$" in card


def test_the_picture_marks_what_a_change_reaches():
    attention, alone = (np.array(matrix["values"]) for matrix in FRONT["matrix_example"]["matrices"])
    tokens = np.random.default_rng(3).standard_normal((4, 2))
    reached = np.zeros((4, 4), int)
    for changed in range(4):
        after = tokens.copy()
        after[changed] += 1
        reached[changed] = (network(after) != network(tokens)).any(axis=1)

    assert np.array_equal(alone, reached)
    assert attention.all()


def test_two_matrices_without_a_bend_are_one():
    random = np.random.default_rng(3)
    vector, first, second = random.standard_normal(4), random.standard_normal((4, 16)), random.standard_normal((16, 4))

    assert np.allclose(vector @ first @ second, vector @ (first @ second))
    assert np.linalg.matrix_rank(first @ second) == 4
    # The reading as keys and values is the same sum.
    assert np.allclose(
        np.maximum(0, vector @ first) @ second,
        sum(max(0, vector @ key) * value for key, value in zip(first.T, second, strict=True)),
    )


def test_the_inner_numbers_of_the_printed_program_are_as_explained(bank):
    inner = np.array([2.0, -1.0]) @ np.array([[1.0, -1.0, 0.0], [0.0, 1.0, 2.0]])
    rows = np.array([[1.0, 0.0], [5.0, 5.0], [7.0, 7.0]])

    assert list(inner) == [2, -3, -2]
    assert "The inner numbers are 2, $-3$ and $-2$" in bank
    assert "$2\\cdot1-3\\cdot5-2\\cdot7=-27$ and $-3\\cdot5-2\\cdot7=-29$" in bank
    assert list(inner @ rows) == [-27, -29]
    assert "For the vector with both signs changed, rows 2 and 3 would count instead" in bank
    assert list(-inner > 0) == [False, True, True]


def test_the_keys_of_the_numeric_questions_are_counted_anew():
    count, gate = (
        questions()[f"feed-forward-network/{id_}"].task for id_ in ("count-its-parameters", "width-with-a-gate")
    )
    for drawn in count.grid():
        assert count.accepts(parameters(drawn["d"], drawn["r"] * drawn["d"]), drawn)
    for drawn in gate.grid():
        (width,) = (w for w in (drawn["dff"] * 2 // 3,) if 3 * 768 * w == 2 * 768 * drawn["dff"])
        assert gate.accepts(width, drawn)


def test_the_mean_is_the_only_fault_of_its_program():
    entry = next(
        each
        for each in yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
        if each["id"] == "rows-that-meet"
    )
    tokens = np.random.default_rng(3).standard_normal((10, 2))
    names = {"np": np, "W1": FIRST, "W2": SECOND, "b1": BIASES[0], "b2": BIASES[1]}

    def run(rows, *, mended):
        lines = [line["fix"] if mended and line.get("right") else line["code"] for line in entry["lines"]]
        space = names | {"X": rows}
        exec("def body():\n" + "\n".join(f"    {line}" for line in lines), space)  # the repository's own text
        return space["body"]()

    changed = tokens.copy()
    changed[3] += 1
    assert np.allclose(run(tokens, mended=True), tokens + network(tokens))
    assert (run(changed, mended=False) != run(tokens, mended=False)).any(axis=1).all()  # as the stem says
    assert list((run(changed, mended=True) != run(tokens, mended=True)).any(axis=1).nonzero()[0]) == [3]


@pytest.mark.parametrize(
    ("typed", "cause"),
    [("2 048", None), ("4 * 512", None), ("128", "m10-narrow-middle"), ("512", "slip-scope"), ("4096", "slip-scope")],
)
def test_the_inner_width_is_read_as_it_is_typed(typed, cause):
    task = questions()["feed-forward-network/inner-width-of-the-base-model"].task

    assert task.accepts(typed) == (cause is None)
    assert cause is None or task.recognised(typed).cause.id == cause
