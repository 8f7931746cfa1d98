# outcome: right
# remark: float32
# why: float32 inside, with parameters that are cast in a comprehension, and the dtype of x at the end
import torch
from torch.nn import functional as F


def transformer_block(x, params, causal=True):
    heads, p = params["heads"], {k: v.float() for k, v in params.items() if k != "heads"}
    h = x.float()
    z = F.layer_norm(h, h.shape[-1:], p["g1"], p["b1"], 1e-5)
    q, k, v = (torch.stack(torch.tensor_split(z @ p[n], heads, dim=-1)) for n in ("Wq", "Wk", "Wv"))
    mask = torch.full((x.shape[-2],) * 2, -1e9).triu(1) * bool(causal)
    w = F.softmax(q @ k.mT / q.shape[-1] ** 0.5 + mask, dim=-1)
    h = h + torch.cat([*(w @ v)], -1) @ p["Wo"]
    z = F.layer_norm(h, h.shape[-1:], p["g2"], p["b2"], 1e-5)
    return (h + F.gelu(z @ p["W1"] + p["c1"]) @ p["W2"] + p["c2"]).to(x.dtype)
