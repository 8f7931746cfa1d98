"""The softmax exercise: plain arguments, lines of numbers that are hidden, and two mistakes at once."""

import numpy as np
import pytest

from grader.verdicts import Outcome, Wording
from tests.judge.benches import bench, failing, judged, style, switched, wrong


def around(body: str) -> str:
    """A program that has `right`, a correct softmax, to build a mistake around."""
    return style("shifting", "softmax") + f"right = softmax\n{body}"


@pytest.mark.parametrize("seed", range(8))
def test_every_line_of_a_draw_keeps_a_finite_number(seed: int) -> None:
    draw = bench("softmax").draw(np.random.default_rng(seed))

    for name, axis in (("hidden", -1), ("hidden, first", 0)):
        x = draw[name].call.inputs[0]
        assert np.isneginf(x).any() and np.isfinite(x).any(axis=axis).all()


def test_program_that_names_its_argument_otherwise_is_right() -> None:
    """Arguments go by position, as the brief's signature has them."""
    assert judged(around("def softmax(a, b=-1): return right(a, b)"), slug="softmax").outcome is Outcome.RIGHT


def test_program_that_only_takes_the_array_stops_where_an_axis_is_given() -> None:
    verdict = judged(around("def softmax(x): return right(x)"), slug="softmax")

    assert verdict.outcome is Outcome.ERROR
    assert "axis" in verdict.sentence and "positional argument" in verdict.sentence


@pytest.mark.parametrize("first", ["no-exponential", "sigmoid", "no-division"])
def test_mistake_is_named_although_the_axis_is_ignored_too(first: str) -> None:
    switches = {
        "no-exponential": {"shift": "nothing", "amounts": "numbers"},
        "sigmoid": {"shift": "nothing", "amounts": "sigmoids", "divides": False},
        "no-division": {"divides": False},
    }

    verdict = judged(switched({**switches[first], "along": "last"}, "softmax"), slug="softmax")

    variant = bench("softmax").exercise.variant(first)
    assert verdict.diagnosis is not None
    assert (verdict.diagnosis.misconception, variant.likeness in verdict.diagnosis.sentence) == (variant.belief, True)


def test_program_that_writes_into_x_in_another_way_is_recognised_too() -> None:
    source = around("def softmax(x, axis=-1):\n    x -= x.max(axis=axis, keepdims=True)\n    return right(x, axis)")

    verdict = judged(source, slug="softmax")

    assert failing(verdict) == {"unchanged"}
    assert verdict.diagnosis is not None and verdict.diagnosis.misconception == "slip-mutates-input"
    assert verdict.diagnosis.evidence.startswith("Your output is right")


def test_tiny_share_for_minus_infinity_is_fragile() -> None:
    """Near enough for any tolerance, and still the weight of something that was to be hidden."""
    source = around("def softmax(x, axis=-1): return right(np.where(np.isneginf(x), -700.0, x), axis)")

    verdict = judged(source, slug="softmax")

    assert (verdict.outcome, failing(verdict)) == (Outcome.FRAGILE, {"minus-infinity"})


def test_program_that_shifts_by_the_mean_is_fragile_without_a_name() -> None:
    source = "import numpy as np\ndef softmax(x, axis=-1):\n"
    source += "    e = np.exp(x - x.mean(axis=axis, keepdims=True))\n    return e / e.sum(axis=axis, keepdims=True)\n"

    verdict = judged(source, slug="softmax")

    assert verdict.outcome is Outcome.FRAGILE
    assert verdict.diagnosis is not None and verdict.diagnosis.wording is Wording.NONE


def test_weights_of_a_softmax_over_columns_show_columns_that_add_up_to_one() -> None:
    verdict = judged(wrong("softmax-over-columns", "softmax"), slug="softmax")

    assert verdict.weights is not None
    np.testing.assert_allclose(np.array(verdict.weights.theirs).sum(axis=0), 1, atol=5e-4)
    np.testing.assert_allclose(np.array(verdict.weights.reference).sum(axis=1), 1, atol=5e-4)
