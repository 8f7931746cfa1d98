# outcome: right
# why: PyTorch's own attention and backward on leaves that are copies; a list comes back
import torch.nn.functional as F


def attention_backward(*tensors, causal=False):
    *inputs, dO = tensors[:4]
    causal = tensors[4] if len(tensors) > 4 else causal
    leaves = [x.detach().clone().requires_grad_() for x in inputs]
    F.scaled_dot_product_attention(*leaves, is_causal=bool(causal)).backward(dO)
    return [leaf.grad for leaf in leaves]
