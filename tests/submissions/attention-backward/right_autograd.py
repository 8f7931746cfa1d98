# outcome: right
# why: PyTorch's own gradients of PyTorch's own attention
import torch
import torch.nn.functional as F


def attention_backward(Q, K, V, dO, causal=False):
    given = [each.detach().clone().requires_grad_() for each in (Q, K, V)]
    with torch.enable_grad():
        out = F.scaled_dot_product_attention(*given, is_causal=causal)
    return torch.autograd.grad(out, given, dO)
