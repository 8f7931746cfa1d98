# outcome: right
# why: the brief allows PyTorch's own attention; True lets a key take part there
import torch
import torch.nn.functional as F


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    allowed = torch.ones(n, n, dtype=torch.bool).tril()
    if window is not None:
        allowed = allowed.triu(1 - window)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
