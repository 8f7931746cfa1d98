"""Every number that the card of training, its bank and its misconceptions print is recomputed here with NumPy.

The texts are read as they stand: a number that is changed on one side only fails. What they say of smoothing in
programs is tried with PyTorch.
"""

import math

import numpy as np
import pytest
import yaml
from numpy.typing import NDArray

from tests.content.reading import MODULE, questions, rows_of_table, softmax

CONCEPT_ID = "training-the-transformer"
CONCEPT = MODULE / f"concepts/13-{CONCEPT_ID}"

PREDICTED = np.array([0.7, 0.1, 0.1, 0.05, 0.05])


def smoothed(*, tokens: int, share: float, true: int = 0) -> NDArray[np.float64]:
    """A target with a share of it spread over all tokens, the true one among them."""
    return (1 - share) * np.eye(tokens)[true] + share / tokens


def cross_entropy(target: NDArray[np.float64], predicted: NDArray[np.float64]) -> float:
    return float(-(target * np.log(predicted)).sum())


def rate(step: float, *, width: int = 512, warm_up: int = 4000) -> float:
    """The two pieces of the schedule written one after the other, as the card's words have them."""
    peak = 1 / math.sqrt(width * warm_up)
    return peak * step / warm_up if step <= warm_up else peak * math.sqrt(warm_up / step)


def test_the_charges_for_single_tokens_are_right(card: str) -> None:
    assert f"one with 0.5 costs {-math.log(0.5):.4f}, and one with 0.01 costs {-math.log(0.01):.4f}" in card


def test_counted_filler_presses_the_mean_down_as_the_texts_say(card: str, bank: str, misconceptions: str) -> None:
    losses = [2] * 6 + [0] * 4

    assert (
        f"all ten positions the loss would seem to be {np.mean(losses)}; divided by the six that count, it is 2" in card
    )
    assert "six real tokens with a loss of 2 and four fillers with 0 give 1.2" in misconceptions
    assert "from 2 to 1.2 if four of ten positions are filler" in bank
    assert "1.2 in place of 2 with four fillers among ten" in bank


def test_the_table_of_the_shift_moves_the_target_by_one_place() -> None:
    rows = rows_of_table(CONCEPT / "card.md", "position")
    read, predicted = [row[1] for row in rows], [row[2] for row in rows]

    assert read[1:] == predicted[:-1]
    assert (read[0], predicted[-1]) == ("start token", "end token")


def test_the_example_of_perplexity_is_right(card: str, misconceptions: str) -> None:
    loss = -np.log([1 / 2, 1 / 4, 1 / 8]).mean()

    assert (
        f"a mean loss of {loss:.4f} and a perplexity of {math.exp(loss):.4f}, the cube root of $2\\cdot4\\cdot8=64$"
        in card
    )
    assert f"A loss of {loss:.4f} says little" in card
    assert math.exp(-math.log(1 / 4)) == pytest.approx(4)
    assert "as one token it has a perplexity of 16, cut into two tokens of 1/4 each it has 4" in card
    assert 1 / 4 * 1 / 4 == 1 / 16
    assert "gives the true tokens one half, one quarter and one eighth" in misconceptions


def test_the_example_of_smoothing_is_right(card: str, bank: str) -> None:
    hard, soft = np.eye(5)[0], smoothed(tokens=5, share=0.1)
    loss = cross_entropy(hard, PREDICTED)

    assert rows_of_table(CONCEPT / "card.md", "token") == [
        [name, *(f"{value:g}" for value in values)]
        for name, values in (("model", PREDICTED), ("hard", hard), ("smoothed", soft))
    ]
    assert f"the loss is {loss:.4f} and its exponential {math.exp(loss):.4f}; " in card
    assert f"with the smoothed target the loss is {cross_entropy(soft, PREDICTED):.4f}" in card
    lowest = cross_entropy(soft, soft)
    assert f"here {lowest:.4f}. A model" in card
    assert f"its lowest value is an entropy: {lowest:.4f} for five tokens and 0.1" in bank
    too_sure = np.array([0.99, *[0.0025] * 4])
    assert cross_entropy(soft, too_sure) > lowest
    generator = np.random.default_rng(13)
    assert all(cross_entropy(soft, softmax(generator.standard_normal(5))) > lowest for _ in range(200))


def test_the_pictures_show_hard_and_smoothed_targets() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    hard, soft = (np.array(each["values"]) for each in front["matrix_example"]["matrices"])
    true = [0, 3, 1]

    assert front["matrix_example"]["caption"].rstrip().endswith("The true tokens are 1, 4 and 2.")
    assert np.array_equal(hard, np.eye(5)[true])
    assert np.allclose(soft, [smoothed(tokens=5, share=0.1, true=token) for token in true])


def test_pytorch_spreads_the_share_over_all_tokens() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    loss = torch.nn.CrossEntropyLoss(label_smoothing=0.1)(torch.log(torch.tensor(PREDICTED))[None], torch.tensor([0]))

    assert float(loss) == pytest.approx(cross_entropy(smoothed(tokens=5, share=0.1), PREDICTED))


def test_the_table_of_rates_is_right(card: str, bank: str, misconceptions: str) -> None:
    def printed(step: int) -> str:
        digits, exponent = f"{rate(step):.4e}".split("e")
        return rf"${digits}\cdot10^{{{int(exponent)}}}$"

    rows = rows_of_table(CONCEPT / "card.md", "step")
    assert rows == [[f"{step:,}", printed(step)] for step in (1, 1000, 4000, 16_000, 100_000)]
    assert rate(16_000) == pytest.approx(rate(4000) / 2)
    assert "Four times the peak's step gives half its rate" in card
    assert f"step 1 the rate is {printed(1)}, a four-thousandth of the peak" in bank
    assert f"the peak is {printed(4000)}, at step 4,000" in bank
    assert f"begins with {rate(1):.8f} and reaches {rate(4000):.4f}, four thousand times as much" in misconceptions


def test_the_chart_shows_the_schedule_for_two_lengths_of_warm_up() -> None:
    front = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])
    chart = front["charts"][0]

    for line, warm_up in zip(chart["lines"], (4000, 8000), strict=True):
        assert line["label"] == f"{warm_up:,} warm-up steps"
        assert line["values"] == [round(rate(step, warm_up=warm_up) * 1e4, 3) for step in chart["x"]["values"]]


def test_the_formula_of_the_card_is_the_rise_and_the_fall() -> None:
    for step in (1, 17, 3999, 4000, 4001, 90_000):
        formula = 512**-0.5 * min(step**-0.5, step * 4000**-1.5)
        assert rate(step) == pytest.approx(formula)
        assert rate(step) <= (512 * 4000) ** -0.5 + 1e-18


def test_the_numbers_of_the_self_check_are_right(bank: str, misconceptions: str) -> None:
    assert "gives every true token 0.4 and all others less is always right and has a perplexity of 2.5" in bank
    assert math.exp(-math.log(0.4)) == pytest.approx(2.5)
    assert "asks for 0.92 rather than 1 in a vocabulary of five" in bank
    assert "the true one is to get 0.92 in place of 1 and each other 0.02" in misconceptions
    assert np.allclose(smoothed(tokens=5, share=0.1), [0.92, *[0.02] * 4])


@pytest.mark.parametrize("step", [800, 1000, 2000, 8000, 16_000, 64_000])
def test_the_key_of_the_question_about_the_rate_is_the_schedule(step: int) -> None:
    task = questions()[f"{CONCEPT_ID}/rate-at-a-step"].task

    assert task.accepts(rate(step) * 1e4, {"s": step})
    without_width = rate(step) * math.sqrt(512) * 1e4
    assert [each.cause.id for each in task.recognised(without_width, {"s": step})] == ["slip-partial"]


def test_the_keys_of_the_other_families_are_what_their_words_say() -> None:
    truth, three = (questions()[f"{CONCEPT_ID}/{slug}"].task for slug in ("smoothed-truth", "three-tokens"))

    for drawn in truth.grid():
        target = smoothed(tokens=int(drawn["K"]), share=drawn["e"])
        assert target.sum() == pytest.approx(1)
        assert truth.accepts(float(target[0]), drawn)
        assert [each.cause.id for each in truth.recognised(float(target[1]), drawn)] == ["slip-swap"]
    for drawn in three.grid():
        given = 1 / np.array([drawn["a"], drawn["b"], drawn["c"]])
        assert three.accepts(float(np.exp(-np.log(given).mean())), drawn)
        assert [each.cause.id for each in three.recognised(float(1 / given.mean()), drawn)] == ["m13-ppl-is-accuracy"]


def test_the_faulty_line_alone_asks_for_what_is_read() -> None:
    bank = yaml.safe_load((CONCEPT / "bank.yaml").read_text(encoding="utf-8"))["questions"]
    lines = next(each for each in bank if each["id"] == "gold-and-input")["lines"]
    start, end, filler = 1, 2, 0
    targets = np.array([[start, 5, 6, 7, end], [start, 8, end, filler, filler]])

    def copies(source: None, tokens: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.eye(10)[tokens] * 50  # sure of the token that it reads

    def losses(scores: NDArray[np.float64], gold: NDArray[np.int64]) -> NDArray[np.float64]:
        return -np.take_along_axis(np.log(softmax(scores)), gold[..., None], axis=-1)[..., 0]

    def loss_of(*, mended: bool) -> float:
        names = {"tgt": targets, "src": None, "model": copies, "xent": losses, "PAD": filler}
        program = "\n".join(line["fix"] if mended and line.get("right") else line["code"] for line in lines)
        exec(program, names)  # the repository's own text
        return float(names["loss"])  # type: ignore[arg-type]

    assert loss_of(mended=False) < 1e-9
    assert loss_of(mended=True) == pytest.approx(50)
