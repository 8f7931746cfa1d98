# outcome: right
# why: a helper class and loops over heads, results collected in a list
import numpy as np


class Head:
    def __init__(self, *maps):
        self.maps = maps

    def __call__(self, x):
        q, k, v = (x @ W for W in self.maps)
        logits = q @ k.swapaxes(-1, -2) * (1 / np.sqrt(q.shape[-1]))
        top = logits.max(-1, keepdims=True)
        logits -= np.log(np.exp(logits - top).sum(-1, keepdims=True)) + top
        return np.exp(logits) @ v


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    cut = [np.split(W, heads, axis=1) for W in (Wq, Wk, Wv)]
    return np.concatenate([Head(*maps)(x) for maps in zip(*cut)], axis=-1) @ Wo
