# outcome: wrong
# case: A23
# caught by: values, tokens-reordered
# misconception: m06-view-splits-heads
# why: the round trip is the identity, and the shape is right
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    *lead, T, D = x.shape
    q, k, v = [(x @ W).reshape(*lead, heads, T, D // heads) for W in (Wq, Wk, Wv)]
    s = q @ k.swapaxes(-1, -2) / np.sqrt(D // heads)
    a = np.exp(s - s.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    return (a @ v).reshape(*lead, T, D) @ Wo
