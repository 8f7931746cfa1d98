# outcome: right
from torch import nn


def layer_norm(x, g, b, eps=1e-05):
    layer = nn.LayerNorm(x.shape[-1], eps=eps, dtype=x.dtype)
    layer.load_state_dict({"weight": g, "bias": b})
    return layer(x).detach()
