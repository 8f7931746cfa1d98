# outcome: right
# why: keys lie in the cache as they are, and all of them are turned in each step
import torch


def turned(x, positions):
    theta = 10000.0 ** (-torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1])
    z = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(z * torch.exp(1j * positions[:, None] * theta)).flatten(-2)


def decode_step(x, cache, params):
    keys, values = x @ params["Wk"], x @ params["Wv"]
    if cache is not None:
        keys, values = torch.cat([cache["K"], keys], -2), torch.cat([cache["V"], values], -2)
    places = torch.arange(keys.shape[-2], dtype=x.dtype)
    new = places[-x.shape[-2] :]
    scores = turned(x @ params["Wq"], new) @ turned(keys, places).mT / x.shape[-1] ** 0.5
    scores = scores.masked_fill(places > new[:, None], -torch.inf)
    return scores.softmax(-1) @ values, dict(K=keys, V=values)
