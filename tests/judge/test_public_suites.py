"""Wrong programs that the tests of public collections let through: here every one of them fails.

Source:  the tests of Deep-ML (94 and 107), LeetGPU (softmax attention) and TorchCode (causal, rotary), tried on wrong
         programs: their scores are saturated or tiny, their axes of one size, or a property stands for the values
"""

import pytest

from grader.verdicts import Outcome
from tests.judge.benches import bench, judged, style, wrong

KNOWN = {
    "multi-head-attention": ("no-scale", "scale-by-model-width", "divide-by-width", "scale-by-length"),
    "masked-attention": ("no-scale", "zero-scores"),
    "attention": ("no-scale", "divide-by-width", "scale-by-length", "keys-times-queries"),
    "causal-attention": ("no-scale", "divide-by-width", "scale-by-length", "zero-scores"),
    "rope": (
        *("half-split", "sign-flipped", "other-base", "exponent-i", "one-frequency", "cos-and-sin-exchanged"),
        "reflection",
    ),
}
UNKNOWN = {
    "attention, times the root": ("attention", "attention(Q, K, V): return right(Q * Q.shape[-1], K, V)"),
    "heads, times the root": (
        "multi-head-attention",
        "multi_head_attention(x, Wq, Wk, Wv, Wo, heads): return right(x, Wq * (len(Wq) // heads), Wk, Wv, Wo, heads)",
    ),
    "the values": ("causal-attention", "causal_attention(Q, K, V, window=None): return V + 0 * Q[..., :1]"),
    "the mean of the past": (
        "causal-attention",
        "causal_attention(Q, K, V, window=None): return right(0 * Q, K, V, window)",
    ),
    "no turn": ("rope", "rope(x, positions, base=10000.0): return x + 0"),
}
# Other conventions and programs that raise fail too; what none may be is right, or right but fragile.
FAILED = (Outcome.WRONG, Outcome.ERROR)


@pytest.mark.parametrize(("slug", "variant"), [(slug, each) for slug, ids in KNOWN.items() for each in ids])
def test_known_survivor_fails_here(slug: str, variant: str) -> None:
    verdict = judged(wrong(variant, slug), slug=slug, seed=11)

    assert verdict.outcome in FAILED
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.misconception == bench(slug).exercise.variant(variant).belief


@pytest.mark.parametrize("name", UNKNOWN)
def test_survivor_that_no_exercise_lists_fails_too(name: str) -> None:
    slug, definition = UNKNOWN[name]
    first = next(iter(bench(slug).styles))
    source = f"{style(first, slug)}\nright = {bench(slug).exercise.function}\ndef {definition}\n"

    assert judged(source, slug=slug, seed=11).outcome in FAILED
