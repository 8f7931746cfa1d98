# outcome: right
# why: an ordered dictionary, more entries than two, and PyTorch's own attention with a mask of truth values
from collections import OrderedDict

import torch
import torch.nn.functional as F


def rotate(x, start):
    p = torch.arange(start, start + x.shape[-2]).to(x)
    a = (p[:, None] * torch.exp(torch.arange(0, x.shape[-1], 2).to(x) / -x.shape[-1] * torch.log(torch.tensor(1e4).to(x)))).repeat_interleave(2, -1)
    partner = torch.stack([-x[..., 1::2], x[..., ::2]], -1).flatten(-2)
    return x * a.cos() + partner * a.sin()


def decode_step(x, cache=None, params=None):
    past = 0 if cache is None else cache["seen"]
    new = OrderedDict(K=rotate(x @ params["Wk"], past), V=x @ params["Wv"], seen=past + x.shape[-2])
    if cache:
        for name in "KV":
            new[name] = torch.cat((cache[name], new[name]), dim=-2)
    mask = torch.ones(x.shape[-2], new["seen"], dtype=torch.bool).tril(diagonal=past)
    return F.scaled_dot_product_attention(rotate(x @ params["Wq"], past), new["K"], new["V"], attn_mask=mask), new
