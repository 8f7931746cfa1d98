# outcome: right
# why: PyTorch's own layer, with the weights loaded into it; its projections are stacked and transposed
import torch
from torch import nn


def transformer_block(x, params, causal=True):
    width, inner = params["W1"].shape
    layer = nn.TransformerEncoderLayer(
        width, params["heads"], inner, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, dtype=x.dtype
    ).eval()
    zero = x.new_zeros(width)
    layer.load_state_dict(
        {
            "self_attn.in_proj_weight": torch.cat([params["Wq"], params["Wk"], params["Wv"]], dim=1).T,
            "self_attn.in_proj_bias": torch.cat([zero, zero, zero]),
            "self_attn.out_proj.weight": params["Wo"].T,
            "self_attn.out_proj.bias": zero,
            "linear1.weight": params["W1"].T,
            "linear1.bias": params["c1"],
            "linear2.weight": params["W2"].T,
            "linear2.bias": params["c2"],
            "norm1.weight": params["g1"],
            "norm1.bias": params["b1"],
            "norm2.weight": params["g2"],
            "norm2.bias": params["b2"],
        }
    )
    tokens = x.shape[-2]
    mask = torch.full((tokens, tokens), float("-inf"), dtype=x.dtype).triu(1) if causal else None
    with torch.no_grad():
        return layer(x.reshape(-1, tokens, width), src_mask=mask).reshape(x.shape)
