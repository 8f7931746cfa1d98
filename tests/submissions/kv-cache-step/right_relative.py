# outcome: right
# why: nothing lies turned anywhere: a matrix for each distance stands between a query and a key
import torch


def between(distance, d):
    theta = 10000.0 ** (-torch.arange(0, d, 2, dtype=torch.float64) / d) * distance
    turn = torch.zeros(d, d, dtype=torch.float64)
    even, odd = range(0, d, 2), range(1, d, 2)
    turn[even, even] = turn[odd, odd] = theta.cos()
    turn[even, odd], turn[odd, even] = theta.sin(), -theta.sin()
    return turn


def decode_step(x, cache, params):
    q, k, v = (x @ params[name] for name in ("Wq", "Wk", "Wv"))
    past = 0
    if cache:
        past = cache["K"].shape[-2]
        k, v = torch.cat([cache["K"], k], dim=-2), torch.cat([cache["V"], v], dim=-2)
    out = []
    for i in range(x.shape[-2]):
        seen = past + i + 1
        s = torch.stack([torch.einsum("...a,ab,...b->...", q[..., i, :], between(j - past - i, x.shape[-1]).T, k[..., j, :]) for j in range(seen)], -1)
        w = torch.softmax(s * x.shape[-1] ** -0.5, dim=-1)
        out.append(torch.einsum("...j,...jv->...v", w, v[..., :seen, :]))
    return torch.stack(out, dim=-2), {"K": k, "V": v}
