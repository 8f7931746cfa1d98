"""The causal attention exercise: promised dtype, tensors, and leaks that no tolerance on values would find."""

import numpy as np
import pytest

from grader.verdicts import Outcome, Wording
from tests.judge.benches import bench, failing, judged, style, switched, wrong

SLUG = "causal-attention"


def around(body: str) -> str:
    """A program that has `right`, a correct causal attention, to build a mistake around."""
    return style("condition", SLUG) + f"right = causal_attention\n{body}"


def test_result_in_float32_fails_the_dtype_and_nothing_else() -> None:
    body = "def causal_attention(*given): return right(*given).astype(np.float32)"

    verdict = judged(around(body), slug=SLUG)

    assert (verdict.outcome, failing(verdict)) == (Outcome.WRONG, {"dtype"})
    report = next(report for report in verdict.checks if report.check == "dtype")
    assert (report.expected, report.got) == ("float64", "float32")


def test_single_number_is_no_tensor() -> None:
    verdict = judged(around("def causal_attention(*given): return float(right(*given).sum())"), slug=SLUG)

    assert verdict.checks[0].expected.startswith("one tensor of shape (")
    assert verdict.checks[0].got == "a single number"


@pytest.mark.parametrize("share", [1e-9, 1e-12])
def test_leak_below_every_tolerance_is_found_by_amplifying_the_future(share: float) -> None:
    body = (
        "def causal_attention(Q, K, V, window=None):\n"
        f"    return (1 - {share}) * right(Q, K, V, window) + {share} * V.mean(axis=-2, keepdims=True)"
    )

    verdict = judged(around(body), slug=SLUG)

    assert {"future"} <= failing(verdict) <= {"future", "future-large", "first", "values", "window"}
    assert verdict.outcome is Outcome.WRONG


@pytest.mark.parametrize("seed", range(6))
def test_past_rows_of_correct_styles_do_not_move_at_all(seed: int) -> None:
    draw = bench(SLUG).draw(np.random.default_rng(seed))
    for rule in bench(SLUG).styles.values():
        before = rule(*draw["plain"].call.copies())
        for name in ("later tokens changed", "large later keys"):
            after = rule(*draw[name].call.copies())
            kept = int((draw[name].call.inputs[2] == draw["plain"].call.inputs[2]).all(axis=-1).sum())
            assert kept >= 2
            np.testing.assert_array_equal(after[:kept], before[:kept])


@pytest.mark.parametrize("seed", range(6))
def test_windows_are_narrower_than_the_text(seed: int) -> None:
    """A window as wide as the text shows no mistake in it."""
    draw = bench(SLUG).draw(np.random.default_rng(seed))

    for name in ("window of 1", "window of 2", "window of 3", "window in a batch"):
        assert draw[name].call.inputs[3] < draw[name].call.arrays[0].shape[-2] - 1


@pytest.mark.parametrize("band", ["ignored", "one more", "one fewer", "both sides"])
@pytest.mark.parametrize("variant_id", ["leaks-next", "zero-scores", "no-scale", "mask-after-softmax"])
def test_mistake_is_named_although_the_window_is_wrong_too(variant_id: str, band: str) -> None:
    switches = {
        "leaks-next": {"keeps": "past and next"},
        "zero-scores": {"hides": "zero"},
        "no-scale": {"scale": "none"},
        "mask-after-softmax": {"hides": "afterwards"},
    }

    verdict = judged(switched({**switches[variant_id], "band": band}, SLUG), slug=SLUG)

    assert verdict.diagnosis is not None
    assert verdict.diagnosis.misconception == bench(SLUG).exercise.variant(variant_id).belief
    assert verdict.diagnosis.also.startswith("slip-")


def test_mistake_is_named_although_the_window_is_wrong_in_a_way_that_nobody_knows() -> None:
    source = style("condition", SLUG).replace("Q.shape[-1])", "1.0)")
    source += "unscaled = causal_attention\ndef causal_attention(Q, K, V, window=None):\n"
    source += "    return unscaled(Q, K, V, window and 2 * window + 1)\n"

    verdict = judged(source, slug=SLUG)

    assert verdict.diagnosis is not None and verdict.diagnosis.misconception == "m03-no-scale"
    assert "what else was asked for fails besides" in verdict.diagnosis.evidence


def test_mask_without_effect_beside_a_window_that_has_one_is_named() -> None:
    verdict = judged(switched({"keeps": "everything", "band": "right"}, SLUG), slug=SLUG)

    assert verdict.diagnosis is not None and verdict.diagnosis.misconception == "m07-only-generation"


def test_program_that_returns_no_number_is_told_so() -> None:
    verdict = judged(wrong("infinity-times-zero", SLUG), slug=SLUG)

    assert verdict.diagnosis is not None and verdict.diagnosis.wording is Wording.EXACT
    assert "none of your numbers is finite" in verdict.diagnosis.evidence


def test_weights_above_the_diagonal_are_seen() -> None:
    verdict = judged(wrong("leaks-next", SLUG), slug=SLUG)

    assert verdict.weights is not None
    theirs, reference = np.array(verdict.weights.theirs), np.array(verdict.weights.reference)
    assert not np.triu(reference, 1).any()
    assert (np.diag(theirs, 1) > 0).all() and not np.triu(theirs, 2).any()


def test_first_row_that_keeps_a_part_of_its_value_says_how_much() -> None:
    verdict = judged(wrong("mask-after-softmax", SLUG), slug=SLUG)

    got = next(report.got for report in verdict.checks if report.check == "first")
    assert got.endswith("times that value")
    assert 0 < float(got.split()[0]) < 1
