# outcome: right
# remark: float32
# why: a softmax in float32, in the middle of float64
import torch


def grouped_query_attention(q, k, v):
    r = q.shape[-3] // k.shape[-3]
    x = q.unflatten(-3, (-1, r)).flatten(-3, -2)
    s = torch.matmul(x, k.swapaxes(-1, -2)) / k.shape[-1] ** 0.5
    w = torch.softmax(s, dim=-1, dtype=torch.float32).to(v.dtype)
    return (w @ v).unflatten(-2, (r, -1)).flatten(-4, -3)
