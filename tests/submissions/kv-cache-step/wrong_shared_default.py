# outcome: error
# why: one dictionary serves all texts, so a second text meets the keys of the first
import torch

CACHE = {}


def decode_step(x, cache, params):
    Q, K, V = (x @ params[name] for name in ("Wq", "Wk", "Wv"))
    if CACHE:
        K, V = torch.cat([CACHE["K"], K], dim=-2), torch.cat([CACHE["V"], V], dim=-2)
    CACHE.update(K=K, V=V)
    return torch.softmax(Q @ K.mT / x.shape[-1] ** 0.5, dim=-1) @ V, CACHE
