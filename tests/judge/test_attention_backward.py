"""The way back through attention: its references against slopes that are measured."""

import numpy as np
import pytest

from tests.judge.benches import bench

SLUG = "attention-backward"
STEP = 1e-5  # central differences then miss by about 1e-9


@pytest.mark.parametrize("name", list(bench(SLUG).styles))
@pytest.mark.parametrize("is_causal", [False, True])
def test_gradients_are_the_slopes_of_the_forward_function(name: str, is_causal: bool) -> None:
    random = np.random.default_rng(3)
    given = [random.standard_normal(shape) for shape in ((4, 3), (4, 3), (4, 5))]
    dO = random.standard_normal((4, 5))

    for place, array in enumerate(given):
        gradient = bench(SLUG).styles[name](*given, dO, is_causal, place)
        direction = random.standard_normal(array.shape)
        ahead, behind = (
            loss(*[*given[:place], array + step * direction, *given[place + 1 :]], dO, is_causal=is_causal)
            for step in (STEP, -STEP)
        )
        assert (gradient * direction).sum() == pytest.approx((ahead - behind) / (2 * STEP), rel=1e-6, abs=1e-8)


def loss(Q: np.ndarray, K: np.ndarray, V: np.ndarray, dO: np.ndarray, *, is_causal: bool) -> float:
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    weights = np.exp(np.where(np.tri(len(Q), dtype=bool), scores, -np.inf) if is_causal else scores)
    return float((weights / weights.sum(axis=-1, keepdims=True) @ V * dO).sum())
