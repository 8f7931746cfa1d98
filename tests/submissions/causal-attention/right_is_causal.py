# outcome: right
import torch
import torch.nn.functional as F


def causal_attention(Q, K, V, window=None):
    if window is None:
        return F.scaled_dot_product_attention(Q, K, V, is_causal=True)
    band = torch.full((Q.shape[-2],) * 2, float("-inf"), dtype=Q.dtype).tril(-window)
    band = torch.nan_to_num(band, neginf=float("-inf")) + torch.full_like(band, float("-inf")).triu(1)
    return F.scaled_dot_product_attention(Q, K, V, attn_mask=band)
