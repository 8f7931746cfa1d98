"""Stands between a call and `transformer_block`: a call sends arrays one by one, the function takes a dictionary."""

NAMES = ("Wq", "Wk", "Wv", "Wo", "g1", "b1", "g2", "b2", "W1", "c1", "W2", "c2", "heads")


def call(function, x, *given):
    return function(x, dict(zip(NAMES, given)), *given[len(NAMES) :])  # noqa: B905 (what is left over is causal)
