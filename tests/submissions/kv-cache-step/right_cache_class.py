# outcome: right
# why: the cache is a dictionary with methods, keeps the keys unturned, and PyTorch's own attention does the rest
import torch
from torch.nn.functional import scaled_dot_product_attention


class Cache(dict):
    def with_more(self, K, V):
        return Cache(K=torch.cat([self["K"], K], dim=-2), V=torch.cat([self["V"], V], dim=-2))


def turned(x, first):
    pairs = torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous())
    angles = torch.arange(first, first + x.shape[-2], dtype=x.dtype)[:, None] / 10000.0 ** (
        torch.arange(0, x.shape[-1], 2, dtype=x.dtype) / x.shape[-1]
    )
    return torch.view_as_real(pairs * torch.polar(torch.ones_like(angles), angles)).flatten(-2)


def decode_step(x, cache, params):
    K, V = x @ params["Wk"], x @ params["Wv"]
    kept = Cache(K=K, V=V) if cache is None else cache.with_more(K, V)
    everything, new = kept["K"].shape[-2], x.shape[-2]
    keep = torch.ones(new, everything, dtype=torch.bool).tril(everything - new)
    queries, keys = turned(x @ params["Wq"], everything - new), turned(kept["K"], 0)
    return scaled_dot_product_attention(queries, keys, kept["V"], attn_mask=keep), kept
