# outcome: wrong
# case: A17
# caught by: values
# misconception: m06-scale-dmodel
import numpy as np


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    *lead, T, D = x.shape
    q, k, v = [(x @ W).reshape(*lead, T, heads, -1).swapaxes(-2, -3) for W in (Wq, Wk, Wv)]
    s = q @ k.swapaxes(-1, -2) / np.sqrt(D)
    a = np.exp(s - s.max(-1, keepdims=True))
    a /= a.sum(-1, keepdims=True)
    return (a @ v).swapaxes(-2, -3).reshape(*lead, T, D) @ Wo
