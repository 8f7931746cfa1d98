# outcome: right
# why: cached keys and new ones are two blocks, whose answers are joined by their logarithms
import torch

BASE = 10_000.0


def spin(x, begin):
    half = x.shape[-1] // 2
    angle = torch.arange(begin, begin + x.shape[-2], dtype=x.dtype).outer(BASE ** -(torch.arange(half, dtype=x.dtype) / half))
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.dstack([even * angle.cos() - odd * angle.sin(), even * angle.sin() + odd * angle.cos()]).reshape(x.shape) if x.ndim == 2 else torch.stack([spin(each, begin) for each in x])


def block(q, k, v, hidden=None):
    s = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    s = s if hidden is None else s.masked_fill(hidden, -torch.inf)
    log = torch.logsumexp(s, -1, keepdim=True)
    return torch.exp(s - log) @ v, log


def decode_step(x, cache, params):
    begin = cache["K"].shape[-2] if cache else 0
    q, k, v = spin(x @ params["Wq"], begin), spin(x @ params["Wk"], begin), x @ params["Wv"]
    own, own_log = block(q, k, v, torch.ones(x.shape[-2], x.shape[-2], dtype=torch.bool).triu(1))
    if not cache:
        return own, {"K": k, "V": v}
    old, old_log = block(q, cache["K"], cache["V"])
    share = torch.sigmoid(own_log - old_log)
    return share * own + (1 - share) * old, {"K": torch.cat([cache["K"], k], -2), "V": torch.cat([cache["V"], v], -2)}
