"""The matrix that the question about averages under three masks asks for, and those that its wrong answers are."""

import numpy as np


def averages_under_three_masks(a, b):
    values = np.array([8.0, a, b, 4])
    causal, both = np.tri(4), np.ones((4, 4))
    prefix, beyond = causal.copy(), causal.copy()
    prefix[:2, :2] = 1
    beyond[:2] = 1

    def outputs(*masks, divided=True):
        sums = [mask @ values / (mask.sum(axis=1) if divided else 1) for mask in masks]
        return np.stack(sums, axis=1)[:3]

    return outputs(causal, prefix, both), {
        "m14-prefix-is-causal": outputs(causal, causal, both),
        "slip-scope": outputs(causal, beyond, both),
        "slip-partial": outputs(causal, prefix, both, divided=False),
        "m07-transposed": outputs(causal.T, prefix, both),
    }


DEFINED = {"architecture-families/averages-under-three-masks": averages_under_three_masks}
