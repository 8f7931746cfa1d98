# outcome: wrong
# case: A08
# caught by: steps, pieces
# misconception: m07-top-left
import torch


def rope(x, positions):
    angles = torch.outer(positions, 10000.0 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]))
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = [even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


def decode_step(x, cache, params):
    past = 0 if cache is None else cache["K"].shape[-2]
    positions = torch.arange(past, past + x.shape[-2], dtype=x.dtype)
    Q, K, V = rope(x @ params["Wq"], positions), rope(x @ params["Wk"], positions), x @ params["Wv"]
    if cache is not None:
        K, V = torch.cat([cache["K"], K], dim=-2), torch.cat([cache["V"], V], dim=-2)
    scores = Q @ K.mT / x.shape[-1] ** 0.5
    hidden = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
    return torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1) @ V, {"K": K, "V": V}
