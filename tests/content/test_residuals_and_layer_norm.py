"""Every number that the card of residuals and norms, its bank and its misconceptions print is recomputed with NumPy.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, questions, rows_of_table

CONCEPT = MODULE / "concepts/11-residuals-and-layer-norm"
FRONT = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])

X = np.array([1.0, 2.0, 3.0, 6.0])
ADDED = np.array([1.0, -1.0, 1.0, -1.0])


def layer_norm(rows, *, sample=0, eps=0.0):
    spread = np.sqrt(rows.var(axis=-1, keepdims=True, ddof=sample) + eps)
    return (rows - rows.mean(axis=-1, keepdims=True)) / spread


def rms_norm(rows):
    return rows / np.sqrt((rows**2).mean(axis=-1, keepdims=True))


def listed(numbers):
    """A row as the card prints it: whole numbers short, all others with four decimals."""
    cells = (f"{number:.0f}" if abs(number - round(number)) < 1e-9 else f"{number:.4f}" for number in numbers)
    return "(" + ", ".join(cell.replace("-0", "0") if cell == "-0" else cell.replace("-", "−") for cell in cells) + ")"


def test_the_worked_norm_is_right(card):
    gained = np.array([1, 1, 2, 1]) * layer_norm(X) + np.array([0, 0, 1, 0])

    assert [result for _, result in rows_of_table(CONCEPT / "card.md", "step")] == [
        listed(X - X.mean()),
        listed(layer_norm(X)),
        listed(gained),
        listed(layer_norm(X, sample=1)),
    ]
    assert f"the mean is {X.mean():.0f}, the variance {X.var()} and its root {X.std():.4f}." in card
    assert rows_of_table(CONCEPT / "card.md", "norm") == [
        ["LN", listed(layer_norm(X))],
        ["RMSNorm", listed(rms_norm(X))],
    ]
    assert f"the root of the mean square is {np.sqrt((X**2).mean()):.4f}:" in card


def test_the_norm_ignores_scale_and_shift_and_follows_the_sign(card):
    for changed in (10 * X, X + 7):
        assert np.allclose(layer_norm(changed), layer_norm(X))
    assert np.allclose(layer_norm(-X), -layer_norm(X))
    assert np.allclose(layer_norm(10 * X, eps=1e-5), layer_norm(X), atol=1e-4)  # "as long as eps is negligible"


def test_both_arrangements_are_right(card):
    total = X + ADDED

    assert f"the sum is {listed(total)}. Post-LN hands on {listed(layer_norm(total))}" in card
    assert listed(total).replace("−", "-") == "(2, 1, 4, 5)"


def test_the_gradients_through_layers_are_right(card, bank):
    chart = FRONT["charts"]
    layers = np.array(chart["x"]["values"])

    assert np.allclose([line["values"] for line in chart["lines"]], [1.2**layers, 0.2**layers], rtol=1e-6)
    assert f"$0.2^6={0.2**6:f}$; with it, by $1.2^6={1.2**6:.2f}$" in card
    assert f"six factors of 0.2 would leave {0.2**6:f} of it" in bank
    assert "stays between 1.2 and 3" in card


def test_the_bypass_adds_an_identity():
    random = np.random.default_rng(2)
    inner, small = random.standard_normal((3, 3)), 1e-6
    at = random.standard_normal(3)

    def slope(function):
        return np.stack([(function(at + step) - function(at - step)) / (2 * small) for step in small * np.eye(3)])

    assert np.allclose(
        slope(lambda x: x + np.tanh(x @ inner)), np.eye(3) + slope(lambda x: np.tanh(x @ inner)), atol=1e-6
    )


def test_the_bounds_and_lengths_are_right(card, misconceptions):
    assert f"a factor of {np.sqrt(12):.2f}, the root of 12" in card
    assert np.linalg.norm(np.eye(100).sum(axis=0)) == 10  # a hundred additions of length 1 at right angles
    assert "The stream then has the length 10, and the next addition changes it by about a tenth" in card
    assert "100 additions of length 1 at right angles have the length 10" in misconceptions
    assert f"1,024 at a width of {1024 // 2}" in card


def test_the_numbers_of_the_beliefs_are_right(misconceptions):
    gained = np.array([1, 1, 2, 1]) * layer_norm(X) + np.array([0, 0, 1, 0])
    assert f"the card's example goes from mean 0 to mean {gained.mean():.2f}" in misconceptions
    assert layer_norm(X).mean() == pytest.approx(0)
    assert "512 numbers would become 1,024 after one sub-layer and 2,048 after two" in misconceptions


def test_the_numbers_of_the_questions_are_right(bank):
    for said, number in [
        ("beginning with 0.2828", rms_norm(X)[0]),
        ("For the row (1, 2, 3, 6) it gives 3.", X.mean()),
        ("turn a variance of 4 into 0.25", 4 / 4**2),
        ("$2\\cdot512=1024$", 2 * 512),
        ("the first entry is not 0.47 but $-0.47$", layer_norm(np.array([4.0, 1, 1, 6]))[0]),
        ("In the program the mean 3 is subtracted, and after adding 7 the mean 10 is", 3 + 7),
        ("512 numbers become 1,024", 2 * 512),
        ("262,144", 512 * 512),
    ]:
        assert said in bank
        assert f"{number:g}" in said or f"{number:,.0f}" in said or f"{number:.2f}" in said or f"{number:.4f}" in said
    tokens = np.array([[1.0, 1, 5, 5], [2, 8, 8, 2]])
    assert "Token 1 has the mean 3 and the standard deviation 2, token 2 has 5 and 3" in bank
    assert np.array_equal(tokens.mean(axis=1), [3, 5])
    assert np.array_equal(tokens.std(axis=1), [2, 3])


def test_the_keys_of_the_numeric_questions_are_what_the_norms_give():
    norm, lean = (
        questions()[f"residuals-and-layer-norm/{id_}"].task for id_ in ("third-entry", "first-entry-without-centring")
    )
    for drawn in norm.grid():
        numbers = np.array([drawn["a"], drawn["b"], drawn["c"]], dtype=float)
        assert norm.accepts(layer_norm(numbers)[2], drawn)
        for value, cause in [
            (numbers[2] - numbers.mean(), "slip-partial"),
            (rms_norm(numbers)[2], "m11-rms-centres"),
            (layer_norm(numbers, sample=1)[2], "m11-unbiased-variance"),
        ]:
            assert [wrong.cause.id for wrong in norm.recognised(value, drawn)] == [cause]
    for drawn in lean.grid():
        numbers = np.array([drawn["a"], drawn["b"]], dtype=float)
        assert lean.accepts(rms_norm(numbers)[0], drawn)
        assert [wrong.cause.id for wrong in lean.recognised(layer_norm(numbers)[0], drawn)] == ["m11-rms-centres"]


def test_the_axis_is_the_only_fault_of_its_program():
    entry = next(
        each
        for each in yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
        if each["id"] == "axis-in-code"
    )
    tokens = np.random.default_rng(2).standard_normal((5, 4))
    names = {"np": np, "g": np.array([2.0, 1, 1, 3]), "b": np.array([0.0, 1, 0, 0]), "eps": 1e-5}

    def run(rows, *, mended):
        lines = [line["fix"] if mended and line.get("right") else line["code"] for line in entry["lines"]]
        space = names | {"X": rows}
        exec("def body():\n" + "\n".join(f"    {line}" for line in lines), space)  # the repository's own text
        return space["body"]()

    later = tokens.copy()
    later[4] += 3
    assert np.allclose(run(tokens, mended=True), names["g"] * layer_norm(tokens, eps=1e-5) + names["b"])
    assert np.array_equal(run(later, mended=True)[:4], run(tokens, mended=True)[:4])
    assert not np.allclose(run(later, mended=False)[:4], run(tokens, mended=False)[:4])  # "later ones included"
    # "For a single token it is 0, and the result is divided by the root of eps."
    alone = run(tokens[:1], mended=False)
    assert np.allclose(alone, names["g"] * (tokens[:1] - tokens[:1].mean()) / np.sqrt(1e-5) + names["b"])


@pytest.mark.parametrize(
    ("typed", "cause"), [("1 024", None), ("2 · 512", None), ("512", "slip-partial"), ("2", "slip-units")]
)
def test_the_number_of_learned_numbers_is_read_as_it_is_typed(typed, cause):
    task = questions()["residuals-and-layer-norm/learned-numbers"].task

    assert task.accepts(typed) == (cause is None)
    assert cause is None or task.recognised(typed).cause.id == cause
