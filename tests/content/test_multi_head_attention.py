"""Every number that the card of several heads, its bank and its misconceptions print is recomputed here with NumPy.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT = MODULE / "concepts/06-multi-head-attention"
FRONT = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])

TOKENS = np.array([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])
TO_KEY = np.eye(4)[:, [1, 0, 2, 3]]
TO_VALUE = np.diag([1.0, 1.0, 2.0, 2.0])
OUTPUT = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]])


def scores_of(heads):
    """The scaled scores of each head, for the projections of the worked example cut into so many heads."""
    queries, keys = np.hsplit(TOKENS, heads), np.hsplit(TOKENS @ TO_KEY, heads)
    return [query @ key.T / np.sqrt(4 // heads) for query, key in zip(queries, keys, strict=True)]


def outputs_of(heads):
    values = np.hsplit(TOKENS @ TO_VALUE, heads)
    return [softmax(scores) @ value for scores, value in zip(scores_of(heads), values, strict=True)]


def listed(numbers):
    return ", ".join(f"{number:.4f}".rstrip("0").rstrip(".") for number in numbers)


def test_the_table_of_the_worked_heads_is_right():
    assert rows_of_table(CONCEPT / "card.md", "query 1 of") == [
        [name, listed(scores[0]), listed(softmax(scores)[0])]
        for name, scores in zip(("head 1", "head 2", "a single head"), scores_of(2) + scores_of(1), strict=True)
    ]


def test_the_outputs_of_the_worked_heads_are_right(card):
    joined = np.hstack(outputs_of(2))
    rows = joined @ OUTPUT

    assert f"token 1 has ({listed(joined[0])})" in card
    assert f"$W^O$ makes ({listed(rows[0])}) of it. Token 2 ends as ({listed(rows[1])})." in card
    assert np.allclose(rows, outputs_of(2)[0] @ OUTPUT[:2] + outputs_of(2)[1] @ OUTPUT[2:])  # the sum of the card
    (single,) = outputs_of(1)
    assert f"output ({listed(single[0])}), and after $W^O$ they end as ({listed((single @ OUTPUT)[0])})." in card
    assert np.allclose(*single)


def test_the_pictures_show_what_the_card_says():
    shown = [matrix["values"] for matrix in FRONT["matrix_example"]["matrices"]]
    assert np.array_equal(np.array(shown), np.round([softmax(scores) for scores in scores_of(2) + scores_of(1)], 4))

    chart = FRONT["charts"]
    rows = rows_of_table(CONCEPT / "card.md", "heads tried")
    assert [str(count) for count in chart["x"]["values"]] == [heads for heads, _, _ in rows]
    quality = np.array([float(bleu) for _, _, bleu in rows])
    assert np.allclose(chart["lines"][0]["values"], quality.max() - quality)
    assert [int(heads) * int(width) for heads, width, _ in rows] == [512] * 5
    assert sum(FRONT["weights_example"]["weights"]) == pytest.approx(1)


@pytest.mark.parametrize("heads", [1, 8, 16])
def test_the_costs_of_a_layer_are_right(card, heads):
    width, tokens = 512, 100
    of_head = width // heads
    parameters = heads * 3 * width * of_head + heads * of_head * width
    row = f"| {heads} | {parameters:,} | {heads * tokens**2 * of_head:,} | {heads * tokens**2:,} |"

    assert row in card
    assert parameters == 4 * width**2
    assert f"make it {parameters + 4 * width:,}." in card


def test_the_divisors_and_ranks_are_right(card, misconceptions):
    random = np.random.default_rng(6)

    assert f"8 where $d_k=64$. The root of the full width 512 would be {np.sqrt(512):.1f} " in card
    assert f"the root is {np.sqrt(512 // 8):.0f} rather than {np.sqrt(512):.1f}" in misconceptions
    assert np.linalg.matrix_rank(random.standard_normal((12, 3)) @ random.standard_normal((3, 12))) == 3


def test_a_split_of_the_projection_is_the_same_as_narrow_matrices():
    random = np.random.default_rng(6)
    tokens, large = random.standard_normal((5, 12)), random.standard_normal((12, 12))
    split = (tokens @ large).reshape(5, 3, 4).transpose(1, 0, 2)

    assert np.allclose(split, [tokens @ large[:, cut : cut + 4] for cut in (0, 4, 8)])


def test_the_numbers_of_the_questions_are_right(bank, misconceptions):
    for said, number in [
        ("$40\\cdot40=1600$ scores", 40 * 40),
        ("6,400 scores", 80 * 80),
        ("would leave the other 448 out", 512 - 64),
        ("With 16 heads the same 512 numbers would give a query of 32.", 512 // 16),
        ("and the layer has 1,048,576 parameters either way", 4 * 512**2),
        ("From numbers 129 to 192", 3 * 64),
        ("by a factor of 2 with 4 heads", np.sqrt(4)),
        ("36 numbers for a token in place of 12", 3 * 12),
        ("a row has $12/3=4$ numbers", 12 // 3),
        ("$16n^2\\cdot d/16=n^2d$", 16),
        ("$8\\cdot64=512$", 8 * 64),
    ]:
        assert said in bank
        assert f"{number:g}" in said.replace(",", "") or f"{number:,}" in said
    assert "each of 8 heads has 10 queries and 10 keys, 100 weights" in misconceptions
    assert "the gain of 0.9" in bank  # 25.8 less 24.9, as the picture's test has it


def test_the_keys_of_the_numeric_questions_are_what_a_layer_has():
    count, divisor = (
        questions()[f"multi-head-attention/{id_}"].task for id_ in ("count-the-weights", "divisor-in-a-head")
    )
    for drawn in count.grid():
        narrow, width = np.zeros((drawn["d"], drawn["d"] // drawn["h"])), drawn["d"]
        assert count.accepts(3 * drawn["h"] * narrow.size + width * width, drawn)
    for drawn in divisor.grid():
        assert divisor.accepts(np.sqrt(drawn["d"] // drawn["h"]), drawn)


def test_the_joined_program_is_right_once_its_line_is_mended():
    entry = next(
        each
        for each in yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
        if each["id"] == "joined-too-early"
    )
    random = np.random.default_rng(6)
    n, h, dk = 5, 3, 4
    x, *maps = [random.standard_normal(shape) for shape in [(n, 12), *[(12, 12)] * 4]]
    names = dict(zip(("x", "WQ", "WK", "WV", "WO"), (x, *maps), strict=True)) | {"n": n, "h": h, "dk": dk}

    def run(mended):
        lines = [line["fix"] if mended and line.get("right") else line["code"] for line in entry["lines"]]
        space = names | {"np": np, "softmax": softmax}
        exec("def body():\n" + "\n".join(f"    {line}" for line in lines), space)  # the repository's own text
        return space["body"]()

    of_heads = [
        softmax((x @ maps[0][:, cut]) @ (x @ maps[1][:, cut]).T / 2) @ (x @ maps[2][:, cut])
        for cut in (slice(at, at + dk) for at in (0, 4, 8))
    ]
    assert np.allclose(run(mended=True), np.hstack(of_heads) @ maps[3])
    assert run(mended=False).shape == (n, 12)  # "there is no error since the sizes fit"
    assert not np.allclose(run(mended=False), run(mended=True))
    # "row 1 would be filled with the first `h` rows of head 1"
    assert np.allclose(run(mended=False)[0], of_heads[0][:3].reshape(-1) @ maps[3])


@pytest.mark.parametrize(
    ("typed", "cause"),
    [
        ("Output projection", None),
        ("w_o", None),
        ("the mean", "m06-averaged"),
        ("W_V", "slip-swap"),
        ("none", "slip-partial"),
    ],
)
def test_the_matrix_that_mixes_is_read_as_it_is_typed(typed, cause):
    task = questions()["multi-head-attention/matrix-that-mixes"].task

    assert task.accepts(typed) == (cause is None)
    assert cause is None or task.recognised(typed).cause.id == cause
