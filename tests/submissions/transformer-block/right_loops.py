# outcome: right
# why: loops over heads and tokens, a helper for each part, the error function by hand
import math

import torch


def norm(row, g, b):
    centred = row - row.mean()
    return g * centred / torch.sqrt((centred**2).mean() + 1e-5) + b


def gelu(z):
    return torch.stack([each * 0.5 * (1 + math.erf(float(each) / math.sqrt(2))) for each in z])


def text(x, p, causal):
    z = torch.stack([norm(row, p["g1"], p["b1"]) for row in x])
    q, k, v = z @ p["Wq"], z @ p["Wk"], z @ p["Wv"]
    d = x.shape[1] // p["heads"]
    mixed = torch.zeros_like(x)
    for h in range(p["heads"]):
        own = slice(h * d, h * d + d)
        for i in range(len(x)):
            seen = i + 1 if causal else len(x)
            w = torch.softmax(k[:seen, own] @ q[i, own] / d**0.5, 0)
            mixed[i, own] = w @ v[:seen, own]
    y = x + mixed @ p["Wo"]
    return torch.stack([row + gelu(norm(row, p["g2"], p["b2"]) @ p["W1"] + p["c1"]) @ p["W2"] + p["c2"] for row in y])


def transformer_block(x, params, causal=True):
    return torch.stack([text(each, params, causal) for each in x.reshape(-1, *x.shape[-2:])]).reshape(x.shape)
