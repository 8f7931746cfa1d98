# outcome: wrong
# case: A34
# caught by: unchanged
# got: params changed
# why: the caller's dictionary has no entry for the heads afterwards
import torch
import torch.nn.functional as F


def transformer_block(x, params, causal=True):
    heads, width = params.pop("heads"), x.shape[-1]
    z = F.layer_norm(x, (width,), params["g1"], params["b1"])
    q, k, v = (torch.stack((z @ params[name]).chunk(heads, -1), -3) for name in ("Wq", "Wk", "Wv"))
    scores = q @ k.mT / (width // heads) ** 0.5
    if causal:
        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -torch.inf)
    y = x + torch.cat((scores.softmax(-1) @ v).unbind(-3), -1) @ params["Wo"]
    inner = F.layer_norm(y, (width,), params["g2"], params["b2"]) @ params["W1"] + params["c1"]
    return y + F.gelu(inner) @ params["W2"] + params["c2"]
