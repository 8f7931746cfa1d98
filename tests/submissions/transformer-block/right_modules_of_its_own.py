# outcome: right
# why: small modules, a residual one that wraps any other, and a sequence of two of them
import torch
from torch import nn


class Residual(nn.Module):
    def __init__(self, norm, inside):
        super().__init__()
        self.norm, self.inside = norm, inside

    def forward(self, x):
        return x + self.inside(self.norm(x))


class Attention(nn.Module):
    def __init__(self, maps, heads, causal):
        super().__init__()
        self.maps, self.heads, self.causal = nn.ParameterList(maps), heads, causal

    def forward(self, z):
        Wq, Wk, Wv, Wo = self.maps
        q, k, v = (torch.stack((z @ W).chunk(self.heads, -1), -3) for W in (Wq, Wk, Wv))
        s = torch.einsum("...hid,...hjd->...hij", q, k) / q.shape[-1] ** 0.5
        if self.causal:
            s = s.masked_fill(torch.ones(s.shape[-2:], dtype=torch.bool).triu(1), -torch.inf)
        return torch.cat((s.softmax(-1) @ v).unbind(-3), -1) @ Wo


def linear(W, c):
    layer = nn.Linear(*W.shape, dtype=W.dtype)
    layer.load_state_dict({"weight": W.T, "bias": c})
    return layer


def norm(g, b):
    layer = nn.LayerNorm(len(g), eps=1e-5, dtype=g.dtype)
    layer.load_state_dict({"weight": g, "bias": b})
    return layer


def transformer_block(x, params, causal=True):
    attention = Attention([params[n] for n in ("Wq", "Wk", "Wv", "Wo")], params["heads"], causal)
    network = nn.Sequential(linear(params["W1"], params["c1"]), nn.GELU(), linear(params["W2"], params["c2"]))
    return nn.Sequential(
        Residual(norm(params["g1"], params["b1"]), attention), Residual(norm(params["g2"], params["b2"]), network)
    )(x)
