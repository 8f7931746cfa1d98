# outcome: wrong
# caught by: window
# misconception: slip-partial
import torch
import torch.nn.functional as F


def causal_attention(Q, K, V, window=None):
    return F.scaled_dot_product_attention(Q, K, V, is_causal=True)
