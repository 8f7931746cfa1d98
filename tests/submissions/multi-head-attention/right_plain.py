# outcome: right
import numpy as np


def softmax(s):
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    *lead, T, D = x.shape
    d = D // heads
    q, k, v = [(x @ W).reshape(*lead, T, heads, d).swapaxes(-2, -3) for W in (Wq, Wk, Wv)]
    y = softmax(q @ k.swapaxes(-1, -2) / np.sqrt(d)) @ v
    return y.swapaxes(-2, -3).reshape(*lead, T, D) @ Wo
