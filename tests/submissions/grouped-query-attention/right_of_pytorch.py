# outcome: right
# why: PyTorch's own attention for each group, over a view that is expanded and never copied
import torch.nn.functional as F


def grouped_query_attention(q, k, v):
    grouped = q.unflatten(-3, (k.shape[-3], -1))
    attend = lambda g: F.scaled_dot_product_attention(grouped[..., g, :, :, :].flatten(-3, -2), k[..., g, :, :], v[..., g, :, :])  # noqa: E731
    import torch

    parts = [attend(g) for g in range(k.shape[-3])]
    return torch.stack(parts, -3).reshape(*q.shape[:-1], v.shape[-1])
