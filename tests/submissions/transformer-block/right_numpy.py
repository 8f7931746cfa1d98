# outcome: right
# why: NumPy inside, with the error function of Python's math by frompyfunc
import math

import numpy as np
import torch

erf = np.frompyfunc(math.erf, 1, 1)


def transformer_block(x, params, causal=True):
    p = {name: each.numpy() if isinstance(each, torch.Tensor) else each for name, each in params.items()}
    x = x.numpy()

    def ln(z, i):
        return p[f"g{i}"] * (z - z.mean(-1, keepdims=True)) / np.sqrt(z.var(-1, keepdims=True) + 1e-5) + p[f"b{i}"]

    def heads(z):
        return np.moveaxis(z.reshape(*z.shape[:-1], p["heads"], -1), -2, 0)

    z = ln(x, 1)
    q, k, v = (heads(z @ p[name]) for name in ("Wq", "Wk", "Wv"))
    s = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    if causal:
        s[..., ~np.tri(s.shape[-1], dtype=bool)] = -np.inf
    w = np.exp(s - s.max(-1, keepdims=True))
    mixed = np.concatenate(list(w / w.sum(-1, keepdims=True) @ v), -1)
    y = x + mixed @ p["Wo"]
    a = ln(y, 2) @ p["W1"] + p["c1"]
    return torch.from_numpy(y + (a * (1 + erf(a / math.sqrt(2)).astype(float)) / 2) @ p["W2"] + p["c2"])
