# outcome: wrong
# caught by: unchanged
from torch.nn.functional import gelu, layer_norm, scaled_dot_product_attention


def transformer_block(x, params, causal=True):
    width = (x.shape[-1],)
    z = layer_norm(x, width, params["g1"], params["b1"])
    Q, K, V = ((z @ params[name]).unflatten(-1, (params["heads"], -1)).transpose(-2, -3) for name in ("Wq", "Wk", "Wv"))
    x += scaled_dot_product_attention(Q, K, V, is_causal=causal).transpose(-2, -3).flatten(-2) @ params["Wo"]
    return (
        x
        + gelu(layer_norm(x, width, params["g2"], params["b2"]) @ params["W1"] + params["c1"]) @ params["W2"]
        + params["c2"]
    )
