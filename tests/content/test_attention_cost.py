"""Every number that the card of the quadratic cost, its bank and its misconceptions print is recomputed here.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, questions, rows_of_table

CONCEPT = MODULE / "concepts/09-attention-cost"
FRONT = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])

WIDTH = 512


def operations(n, d=WIDTH):
    """Projections, scores with mixing, feed-forward network: two operations for each number that is multiplied."""
    projections = 4 * 2 * n * d * d
    scores_and_mixing = 2 * n * n * d + 2 * n * n * d
    network = 2 * n * d * (4 * d) + 2 * n * (4 * d) * d
    return np.array([projections, scores_and_mixing, network])


def share(n, d=WIDTH):
    return operations(n, d)[1] / operations(n, d).sum()


def layers_to_cross(places, reach):
    return -(-places // reach)


def test_the_table_of_shares_is_right():
    assert rows_of_table(CONCEPT / "card.md", "$n$") == [
        [f"{n:,}", f"{n * n * WIDTH:,}", f"{n * WIDTH * WIDTH:,}", f"{share(n):.4f}"] for n in (128, 512, 1024, 4096)
    ]


def test_the_crossovers_are_where_the_card_says(card):
    assert f"need $4n^2d=$ {operations(1024)[1]:,} operations and the projections $8nd^2$ just as many" in card
    for width in (64, 512):
        assert operations(2 * width, width)[1] == operations(2 * width, width)[0]
        assert operations(4 * width, width)[1] == operations(4 * width, width)[2]
        assert share(6 * width, width) == 0.5
        assert share(1000, width) == pytest.approx(1000 / (1000 + 6 * width))
    growth = operations(1024).sum() / operations(512).sum()
    assert f"makes the whole layer {growth:.2f} times as expensive" in card
    assert share(512) == pytest.approx(1 / 7)


def test_the_memory_is_right(card, bank):
    assert f"it is {32 * 4096**2 * 2:,} bytes, which is exactly 1 GiB" in card
    assert 32 * 4096**2 * 2 == 2**30
    assert "With 8,192 tokens it is 4 GiB" in card
    assert "4 GiB for a layer in place of 1 GiB" in bank
    assert 32 * 8192**2 * 2 == 4 * 2**30


def test_the_sums_over_a_written_text_are_right(card):
    n = 1000
    assert sum(4 * t * WIDTH for t in range(1, n + 1)) == 2 * n * (n + 1) * WIDTH
    assert "\\sum_{t=1}^{n}4td=2n(n+1)\\,d" in card
    assert 2 * n * (n + 1) * WIDTH / operations(n)[1] == pytest.approx(
        0.5, rel=0.002
    )  # "half of what a full table takes"
    # With nothing kept, a text twice as long takes about eight times the work.
    anew = [sum(operations(t)[1] for t in range(1, length + 1)) for length in (500, 1000)]
    assert anew[1] / anew[0] == pytest.approx(8, rel=0.01)


def test_the_pictures_show_what_they_are_said_to_show(card):
    shown = [np.array(matrix["values"]) for matrix in FRONT["matrix_example"]["matrices"]]
    near = np.abs(np.subtract.outer(np.arange(6), np.arange(6))) <= 1
    for values, expected in zip(shown, [np.ones((6, 6)), np.tri(6), near], strict=True):
        assert np.array_equal(values, expected)
    assert [int(values.sum()) for values in shown] == [36, 21, 16]
    assert "There are 36, 21 and 16 such pairs." in card

    chart = FRONT["charts"]
    counted = np.array([operations(n) for n in chart["x"]["values"]]).T / 1e9
    assert np.array_equal([line["values"] for line in chart["lines"]], counted.round(3))


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("about 500 tokens and a book about 100,000. The book is 200 times as long", 100_000 / 500),
        ("40,000 times as large", 200**2),
        ("A text of 1,000 tokens has 500,500 such pairs", np.tri(1000).sum()),
        ("one of 2,000 has 2,001,000", 2000 * 2001 / 2),
    ],
)
def test_the_counts_of_the_card_are_right(card, said, number):
    assert said in card
    assert f"{number:,.0f}" in said


@pytest.mark.parametrize(
    ("said", "numbers"),
    [
        ("Twice as many queries each meet twice as many keys, so there are $2\\cdot2=4$ times", [2 * 2]),
        ("whole layer takes 2.29", [round(operations(1024).sum() / operations(512).sum(), 2)]),
        ("the same signal takes 899 steps", [900 - 1]),
        ("300 tokens have 90,000 scores, 600 have 360,000", [300**2, 600**2]),
        ("250,000 for 500 tokens", [500**2]),
        ("their ratio is $n/d=2048/512=4$", [2048 // 512]),
        ("about 4.2 million", [round(2048**2 / 1e6, 1)]),
        ("carries a signal over 128 places, 1,280 places take ten layers", [128, 10 * 128]),
        ("With $k=3$, four layers reach over 81 positions", [3**4]),
        ("With $d=512$ that is at 1,024 tokens", [2 * 512]),
        ("$4n^2d/8nd^2=n/(2d)=3$", [1536 // (2 * 256)]),
        ("$n/(n+6d)=1536/3072=0.5$", [1536 + 6 * 256, share(1536, 256)]),
        ("$n/(n+2d)=1536/2048=0.75$", [1536 + 2 * 256, 1536 / 2048]),
        ("$4/8=0.5$ and $4/28\\approx0.14$", [4 / 8, round(4 / 28, 2)]),
        ("by $2^{20}=1048576$", [2**20]),
        ("1,024 tokens make exactly 1,048,576 pairs", [1024**2]),
        ("With 8 heads and 1,000 tokens there are 8 million", [8 * 1000**2 // 10**6]),
    ],
)
def test_the_numbers_of_the_questions_are_right(bank, said, numbers):
    assert said in bank
    assert all(f"{number:g}" in said or f"{number:,}" in said or f"{number:.0f}" in said for number in numbers)


def test_the_numbers_of_the_beliefs_are_right(misconceptions):
    assert "With a width of 512 and 512 tokens they are six sevenths of the work" in misconceptions
    assert 1 - share(512) == pytest.approx(6 / 7)
    assert f"every one of the pairs, {4096**2:,} for 4,096 tokens" in misconceptions
    assert f"a signal over 1,000 places needs {layers_to_cross(1000, 100)} layers" in misconceptions
    assert "At 2,048 tokens and a width of 512, self-attention takes four times as much" in misconceptions


def test_growing_text_sorts_the_quantities_as_the_question_does():
    def quantities(n):
        return [4 * WIDTH**2, operations(n)[2], n * np.sqrt(n), n * n, sum(t * t for t in range(1, n + 1))]

    growth = [later / now for now, later in zip(quantities(400), quantities(1600), strict=True)]

    assert growth == sorted(growth)
    assert growth[:4] == [1, 4, 8, 16]  # as its explanations say
    assert growth[4] == pytest.approx(64, rel=0.01)


def test_the_keys_of_the_numeric_questions_are_what_a_layer_takes():
    task, memory = (questions()[f"attention-cost/{id_}"].task for id_ in ("quadratic-share", "memory-of-weights"))
    for drawn in task.grid():
        assert task.accepts(share(drawn["n"], drawn["d"]), drawn)
    for drawn in memory.grid():
        table = np.broadcast_to(np.float16(0), (drawn["h"], drawn["n"], drawn["n"]))
        assert memory.accepts(table.size * table.itemsize / 2**20, drawn)


def test_the_estimator_is_right_once_its_line_is_mended():
    entry = next(
        each
        for each in yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
        if each["id"] == "heads-counted-twice"
    )

    def run(mended, **sizes):
        lines = [line["fix"] if mended and line.get("right") else line["code"] for line in entry["lines"]]
        exec("def body():\n" + "\n".join(f"    {line}" for line in lines), sizes)  # the repository's own text
        return sizes["body"]()

    sizes = {"n": 1000, "d": 512, "h": 8, "size": 2}
    expected = (operations(1000)[1], 4 * 512 * 512, 8 * 1000**2 * 2)
    assert run(mended=True, **sizes) == expected
    assert run(mended=False, **sizes) == (8 * expected[0], *expected[1:])  # "8 times too high"


@pytest.mark.parametrize(
    ("typed", "right"), [("2 d", True), ("n = 2d", True), ("2·d", True), ("6d", False), ("d", False), ("d/2", False)]
)
def test_the_crossover_is_read_as_it_is_typed(typed, right):
    task = questions()["attention-cost/where-both-are-equal"].task

    assert task.accepts(typed) == right
    assert right or task.recognised(typed) is not None
