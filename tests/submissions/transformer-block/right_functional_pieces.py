# outcome: right
# why: lambdas in a row, heads as slices that are summed behind the last map, the normal distribution from torch
import torch
from torch.distributions import Normal


def transformer_block(x, params, causal=True):
    p, n = params, params["heads"]
    cdf = Normal(torch.zeros((), dtype=x.dtype), torch.ones((), dtype=x.dtype)).cdf
    ln = lambda z, g, b: (z - z.mean(-1, True)) * (z.var(-1, correction=0, keepdim=True) + 1e-5).rsqrt() * g + b  # noqa: E731
    bias = torch.zeros(x.shape[-2], x.shape[-2], dtype=x.dtype)
    if causal:
        bias = torch.log(torch.ones_like(bias).tril())
    head = lambda z, q, k, v, o: ((z @ q) @ (z @ k).mT / q.shape[1] ** 0.5 + bias).softmax(-1) @ (z @ v) @ o  # noqa: E731
    z = ln(x, p["g1"], p["b1"])
    cut = zip(*(p[w].chunk(n, dim=1) for w in ("Wq", "Wk", "Wv")), p["Wo"].chunk(n, dim=0))
    y = x + sum(head(z, *maps) for maps in cut)
    a = ln(y, p["g2"], p["b2"]) @ p["W1"] + p["c1"]
    return y + a * cdf(a) @ p["W2"] + p["c2"]
