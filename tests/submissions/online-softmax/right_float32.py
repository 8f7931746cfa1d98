# outcome: right
# remark: float32
# why: scores in float32, state in float64
import torch


def online_softmax_attention(Q, K, V, block):
    m = torch.full((*Q.shape[:-1], 1), -3.0e38, dtype=torch.float64)
    l, o = torch.zeros_like(m), torch.zeros(*Q.shape[:-1], V.shape[-1], dtype=torch.float64)
    for i in range(-(-K.shape[-2] // block)):
        part = slice(i * block, (i + 1) * block)
        s = (Q.float() @ K[..., part, :].float().mT / Q.shape[-1] ** 0.5).double()
        m, before = torch.maximum(m, s.amax(-1, keepdim=True)), m
        p = torch.exp(s - m)
        l, o = (before - m).exp() * l + p.sum(-1, keepdim=True), (before - m).exp() * o + p @ V[..., part, :]
    return o / l
