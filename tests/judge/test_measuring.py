"""What is said of a program that follows no known rule: figures that were measured, and never a name."""

import pytest

from grader.verdicts import Diagnosis, Wording
from tests.judge.benches import bench, judged, style, switched

SCALED = "s = right_scores(Q, K) * {scale}\n    e = np.exp(s - s.max(axis=-1, keepdims=True))\n"
WEIGHED = "e / e.sum(axis=-1, keepdims=True)"
ATTENTION = """import numpy as np
def right_scores(Q, K): return Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
def attention(Q, K, V):
    {body}"""


def said_of(body: str) -> Diagnosis:
    verdict = judged(ATTENTION.format(body=body))

    assert verdict.diagnosis is not None and verdict.diagnosis.misconception == ""
    return verdict.diagnosis


def test_scale_that_nobody_knows_is_measured() -> None:
    """The width of the identity's call is 6, so 1.5 times the right scale is 0.612."""
    diagnosis = said_of(SCALED.format(scale=1.5) + f"    return {WEIGHED} @ V")

    assert diagnosis.wording is Wording.CONSISTENT
    assert diagnosis.sentence == "It is consistent with scores that were multiplied by 0.612 before the softmax."
    assert "Right would be 0.408" in diagnosis.detail


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ("0.9 * np.roll(w, 1, axis=-1)", "The weights of one query add up to between 0.90 and 0.90, not to 1."),
        ("np.where(w > 0.2, w, 0)", "Keys that must count have a weight of exactly 0 in"),
        ("w - 0.3 * np.roll(w, 1, axis=-1)", "are below 0."),
        ("np.float16(w)", "Your numbers are right to 3 digits"),
        ("0.8 * w", "All your numbers are 0.8 times the right ones."),
    ],
    ids=["rows", "zeros", "below 0", "half precision", "one factor"],
)
def test_what_is_wrong_with_weights_is_measured(weights: str, said: str) -> None:
    diagnosis = said_of(SCALED.format(scale=1) + f"    w = {WEIGHED}\n    return ({weights}) @ V")

    assert diagnosis.wording is Wording.NONE
    assert said in diagnosis.detail


def test_later_keys_with_a_weight_are_counted() -> None:
    source = style("condition", "causal-attention")
    source += "right = causal_attention\ndef causal_attention(Q, K, V, window=None):\n"
    source += "    return 0.7 * right(Q, K, V, window) + 0.3 * V.mean(axis=-2, keepdims=True)\n"

    verdict = judged(source, slug="causal-attention")

    assert verdict.diagnosis is not None and verdict.diagnosis.wording is Wording.NONE
    assert "Keys that must not count have a weight in" in verdict.diagnosis.detail


def test_program_that_follows_no_rule_is_shown_a_small_input_that_it_gets_wrong() -> None:
    verdict = judged(ATTENTION.format(body="return 0.8 * (V.max(axis=-2, keepdims=True) + 0 * Q[..., :1])"))

    assert verdict.diagnosis is not None and verdict.diagnosis.wording is not Wording.EXACT
    assert verdict.counterexample is not None and len(verdict.counterexample.steps) == 1
    step = verdict.counterexample.steps[0]
    assert step.parts_here and step.theirs != step.reference
    assert verdict.counterexample.given[0].name == bench("attention").exercise.parameters[0].name


def test_two_mistakes_are_worked_step_by_step_on_an_input_on_which_both_show() -> None:
    slug = "multi-head-attention"
    verdict = judged(switched({"scale": "none", "over": "queries"}, slug), slug=slug)

    assert verdict.diagnosis is not None and "two mistakes at once" in verdict.diagnosis.sentence
    assert verdict.counterexample is not None and "both mistakes show" in verdict.counterexample.sentence
    assert len(verdict.counterexample.steps) > 1
    assert verdict.counterexample.steps[-1].theirs != verdict.counterexample.steps[-1].reference
