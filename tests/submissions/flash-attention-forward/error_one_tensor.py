# outcome: error
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    return torch.nn.functional.scaled_dot_product_attention(Q, K, V, is_causal=causal)
