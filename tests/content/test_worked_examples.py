"""Every number that the attention card, its bank and its misconceptions print is recomputed here with NumPy.

The texts are read as they stand: a number that is changed on one side only fails.
"""

import re

import numpy as np
import pytest
import yaml

from tests.content.reading import MODULE, questions, softmax

CONCEPT_ID = "scaled-dot-product-attention"
CONCEPT = MODULE / f"concepts/03-{CONCEPT_ID}"

QUERY = np.array([1.0, 2.0])
KEYS = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
VALUES = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]])


def test_the_table_of_the_worked_row_is_right() -> None:
    rows = re.findall(r"^\| (?:\(|sum).*\|$", (CONCEPT / "card.md").read_text(encoding="utf-8"), re.MULTILINE)
    scores = KEYS @ QUERY
    scaled = scores / np.sqrt(2)
    expected = [
        f"| ({key[0]:.0f}, {key[1]:.0f}) | {score:.0f} | {z:.4f} | {np.exp(z):.4f} | {a:.4f} | {sharp:.4f} |"
        for key, score, z, a, sharp in zip(KEYS, scores, scaled, softmax(scaled), softmax(scores), strict=True)
    ]

    assert rows == [*expected, f"| sum | | | {np.exp(scaled).sum():.4f} | 1 | 1 |"]


def test_the_chart_shows_the_slope_of_a_softmax_over_two_keys() -> None:
    chart = yaml.safe_load((CONCEPT / "card.md").read_text(encoding="utf-8").split("---\n")[1])["charts"][0]
    weights = np.array([softmax(np.array([gap, 0.0]))[0] for gap in chart["x"]["values"]])

    assert np.array_equal(chart["lines"][0]["values"], (weights * (1 - weights)).round(4))


def test_the_outputs_of_the_worked_row_are_right(card: str) -> None:
    weights = softmax(KEYS @ QUERY / np.sqrt(2))
    with_scale, without = weights @ VALUES, softmax(KEYS @ QUERY) @ VALUES

    mixed = "+".join(rf"{a:.4f}\,({v[0]:.0f},{v[1]:.0f})" for a, v in zip(weights, VALUES, strict=True))
    assert rf"${mixed}=({with_scale[0]:.4f},\;{with_scale[1]:.4f})$" in card
    assert rf"Without scaling it is $({without[0]:.4f},\;{without[1]:.4f})$" in card


def test_the_simulated_spreads_are_what_this_seed_gives(card: str) -> None:
    random = np.random.default_rng(5)
    spreads = [
        (random.standard_normal((20_000, width)) * random.standard_normal((20_000, width))).sum(axis=1).std()
        for width in (4, 64, 256)
    ]

    printed = re.search(r"standard deviation came out as ([\d.]+), ([\d.]+) and ([\d.]+)\.", card)
    assert printed is not None
    # The stream of a seed may change with a NumPy release; the size of the sample makes 2 per cent a safe margin.
    assert [float(number) for number in printed.groups()] == pytest.approx(spreads, rel=0.02)
    assert [float(number) for number in printed.groups()] == pytest.approx([2, 8, 16], rel=0.02)


def test_the_gradients_of_the_two_softmaxes_are_right(card: str) -> None:
    mild, saturated = softmax(np.array([0.5, -0.5])), softmax(np.array([8.0, -8.0]))

    assert rf"${mild[0]:.4f}\cdot{mild[1]:.4f}={mild.prod():.4f}$" in card
    assert rf"about ${saturated.prod() * 1e7:.4f}\cdot10^{{-7}}$" in card
    assert "by a factor of more than a million" in card
    assert 1e6 < mild.prod() / saturated.prod() < 2e6


def test_the_gradient_formula_of_the_card_is_the_slope_of_the_softmax() -> None:
    scores, step = np.array([0.3, -1.1, 2.0]), 1e-6
    weights = softmax(scores)
    formula = np.diag(weights) - np.outer(weights, weights)
    slopes = np.stack(
        [(softmax(scores + step * unit) - softmax(scores - step * unit)) / (2 * step) for unit in np.eye(3)], axis=1
    )

    assert np.allclose(formula, slopes, atol=1e-9)


def test_the_price_of_a_thousand_queries_and_keys_is_right(card: str) -> None:
    assert 1000 * 1000 * (64 + 64) == 128_000_000
    assert "that makes 128 million multiplications and a million weights" in card


def test_the_numbers_of_the_self_check_are_right(bank: str) -> None:
    scaled, forgotten = softmax(np.array([1.0, 2.0, 4.0])), softmax(np.array([10.0, 20.0, 40.0]))

    assert f"from {scaled[2]:.3f} to almost 1" in bank
    assert f"falls from {scaled[2] * (1 - scaled[2]):.3f} to about $2\\cdot10^{{-9}}$" in bank
    assert round(forgotten[2] * (1 - forgotten[2]) * 1e9) == 2
    assert "the row is " + ", ".join(f"{weight:.3f}" for weight in forgotten) in bank
    assert np.allclose(softmax(np.array([11.0, 12.0, 14.0])), scaled)


def test_the_numbers_of_the_question_about_adding_five_are_right(bank: str) -> None:
    scores = np.array([0.4, 1.9, 3.1])

    assert ", ".join(f"{weight:.3f}" for weight in softmax(scores)) + " before and after" in bank
    assert np.allclose(softmax(scores), softmax(scores + 5))
    assert f"$e^5\\approx{np.exp(5):.1f}$" in bank
    assert f"the third weight rises to {softmax(5 * scores)[2]:.3f}" in bank
    assert f"$e^{{1.2}}\\approx{np.exp(1.2):.2f}$" in bank


def test_the_numbers_of_the_other_explanations_are_right(bank: str) -> None:
    undivided = softmax(np.array([3.0, 1.0]))

    assert f"become weights of {undivided[0]:.3f} and {undivided[1]:.3f}" in bank
    assert f"$6/\\sqrt2$ is about {6 / np.sqrt(2):.2f}" in bank
    assert f"press it down to {np.sqrt(64) / 64}" in bank
    assert f"$1/(1+e^6)\\approx{1 / (1 + np.exp(6)):.4f}$" in bank


def test_the_numbers_of_the_misconceptions_are_right(misconceptions: str) -> None:
    assert "at width 64 from 8 to 64" in misconceptions
    assert np.sqrt(64) * np.sqrt(64) == pytest.approx(64)
    assert f"a weight of about {1 / (1 + np.exp(6)):.4f}" in misconceptions
    assert "more than 0.999999." in misconceptions
    assert softmax(np.array([8.0, -8.0]))[0] > 0.999999
    assert "near the exponential of 710" in misconceptions
    assert np.isfinite(np.exp(709.0))
    with np.errstate(over="ignore"):
        assert np.isinf(np.exp(np.float64(710.0)))


@pytest.mark.parametrize("weight", [0.6, 0.7, 0.8, 0.85, 0.9])
def test_the_slope_of_a_weight_and_its_wrong_values_are_those_of_a_softmax(weight: float) -> None:
    task = questions()[f"{CONCEPT_ID}/slope-of-a-weight"].task
    scores, step = np.log([weight, 1 - weight]), 1e-6
    own, other = (
        (softmax(scores + step * unit)[0] - softmax(scores - step * unit)[0]) / (2 * step) for unit in np.eye(2)
    )

    assert task.accepts(own, {"a": weight})
    expected = {"slip-partial": 1 - weight, "slip-scope": weight, "slip-swap": other}
    for cause, value in expected.items():
        assert [each.cause.id for each in task.recognised(value, {"a": weight})] == [cause]


def test_no_slope_of_a_weight_is_above_one_quarter(bank: str) -> None:
    weights = np.linspace(0, 1, 101)

    assert (weights * (1 - weights)).max() == 0.25
    assert "at one half the slope is 0.250, its highest value" in bank
    assert "no slope of this kind is above one quarter" in bank
