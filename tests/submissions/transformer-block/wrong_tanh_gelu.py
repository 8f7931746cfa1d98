# outcome: wrong
# caught by: values
# misconception: slip-swap
import torch
from torch.nn.functional import gelu, layer_norm


def attention(z, params, causal):
    def heads(name):
        return (z @ params[name]).unflatten(-1, (params["heads"], -1)).transpose(-2, -3)

    Q, K, V = heads("Wq"), heads("Wk"), heads("Wv")
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    if causal:
        later = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(later, float("-inf"))
    return (torch.softmax(scores, dim=-1) @ V).transpose(-2, -3).flatten(-2) @ params["Wo"]


def transformer_block(x, params, causal=True):
    width = (x.shape[-1],)
    y = x + attention(layer_norm(x, width, params["g1"], params["b1"]), params, causal)
    inner = gelu(layer_norm(y, width, params["g2"], params["b2"]) @ params["W1"] + params["c1"], approximate="tanh")
    return y + inner @ params["W2"] + params["c2"]
