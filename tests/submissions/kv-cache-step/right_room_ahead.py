# outcome: right
# why: rows are laid out with room ahead and copied when it runs out; the cache is a fresh dictionary of views
import math

import torch


def turned(x, first):
    places = torch.arange(first, first + x.shape[-2], dtype=x.dtype)[:, None]
    angles = places * torch.exp(-math.log(10000.0) * torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    even, odd = x[..., ::2], x[..., 1::2]
    result = torch.empty_like(x, memory_format=torch.contiguous_format)
    result[..., ::2] = even * angles.cos() - odd * angles.sin()
    result[..., 1::2] = even * angles.sin() + odd * angles.cos()
    return result


def longer(old, new):
    if old is None:
        return new
    room = new.new_empty((*new.shape[:-2], old.shape[-2] + new.shape[-2], new.shape[-1]))
    room[..., : old.shape[-2], :] = old
    room[..., old.shape[-2] :, :] = new
    return room


def decode_step(x, cache, params):
    past = cache["K"].shape[-2] if cache else 0
    old = cache or {"K": None, "V": None}
    K = longer(old["K"], turned(x @ params["Wk"], past))
    V = longer(old["V"], x @ params["Wv"])
    scores = torch.einsum("...id,...jd->...ij", turned(x @ params["Wq"], past), K) / math.sqrt(x.shape[-1])
    scores = scores + scores.new_full(scores.shape[-2:], -math.inf).triu(past + 1)
    weights = torch.exp(scores - scores.amax(-1, keepdim=True))
    return weights @ V / weights.sum(-1, keepdim=True), {"K": K, "V": V}
