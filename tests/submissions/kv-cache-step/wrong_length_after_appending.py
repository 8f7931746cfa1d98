# outcome: wrong
# case: A30
# caught by: steps
# misconception:
# why: the position counts the new tokens twice, since it is read off the keys that already hold them
import torch


def rope(x, positions):
    angles = torch.outer(positions, 10000.0 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]))
    even, odd = x[..., 0::2], x[..., 1::2]
    pairs = [even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()]
    return torch.stack(pairs, dim=-1).flatten(-2)


def decode_step(x, cache, params):
    past = 0 if cache is None else cache["K"].shape[-2]
    new = x.shape[-2]
    K = rope(x @ params["Wk"], torch.arange(past, past + new, dtype=x.dtype))
    V = x @ params["Wv"]
    if cache is not None:
        K, V = torch.cat([cache["K"], K], dim=-2), torch.cat([cache["V"], V], dim=-2)
    Q = rope(x @ params["Wq"], torch.arange(K.shape[-2], K.shape[-2] + new, dtype=x.dtype))
    scores = Q @ K.mT / x.shape[-1] ** 0.5
    hidden = torch.arange(K.shape[-2]) > past + torch.arange(new)[:, None]
    return torch.softmax(scores.masked_fill(hidden, float("-inf")), dim=-1) @ V, {"K": K, "V": V}
