"""Correct programs for `attention_backward`, in styles that learners use. The first one is the reference.

They are written with NumPy in float64: the judge compares what a learner's tensors hold and never loads PyTorch itself.

Shapes:  Q float64[..., queries, width]; K float64[..., keys, width]; V float64[..., keys, value_width];
         dO float64[..., queries, value_width]; result a tuple of three, with the shapes of Q, K and V
Limits:  stable for any finite score; the largest allowed score of each row is subtracted first
Source:  Dao et al. 2022, "FlashAttention", appendix B.2
"""

import numpy as np


def by_rows(Q, K, V, dO, causal=False):
    P = _weights(Q, K, causal)
    dP = dO @ np.swapaxes(V, -1, -2)
    dS = P * (dP - (P * dP).sum(axis=-1, keepdims=True)) / np.sqrt(Q.shape[-1])
    return dS @ K, np.swapaxes(dS, -1, -2) @ Q, np.swapaxes(P, -1, -2) @ dO


def by_outputs(Q, K, V, dO, causal=False):
    """The sum over a row equals the product of an output with its gradient, as memory-saving programs use it."""
    P = _weights(Q, K, causal)
    D = np.einsum("...qv,...qv->...q", P @ V, dO)
    dS = P * (np.einsum("...qv,...kv->...qk", dO, V) - D[..., None]) * Q.shape[-1] ** -0.5
    return (
        np.einsum("...qk,...kw->...qw", dS, K),
        np.einsum("...qk,...qw->...kw", dS, Q),
        np.einsum("...qk,...qv->...kv", P, dO),
    )


def by_jacobians(Q, K, V, dO, causal=False):
    """For each query the whole matrix of slopes of its weights in its scores."""
    P, scale = _weights(Q, K, causal), Q.shape[-1] ** 0.5
    dQ, dK, dV = (np.zeros(array.shape) for array in (Q, K, V))
    for place in np.ndindex(*Q.shape[:-2]):
        for query in range(Q.shape[-2]):
            weights = P[place][query]
            slopes = np.diag(weights) - np.outer(weights, weights)
            dS = slopes @ (V[place] @ dO[place][query]) / scale
            dQ[place][query] = dS @ K[place]
            dK[place] += np.outer(dS, Q[place][query])
            dV[place] += np.outer(weights, dO[place][query])
    return dQ, dK, dV


def _weights(Q, K, causal):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if causal:
        scores = np.where(np.tri(scores.shape[-1], dtype=bool), scores, -np.inf)
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exponentials / exponentials.sum(axis=-1, keepdims=True)


STYLES = {"rows": by_rows, "outputs": by_outputs, "matrices of slopes": by_jacobians}
