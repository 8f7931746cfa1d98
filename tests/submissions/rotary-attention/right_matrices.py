# outcome: right
# why: one matrix for each distance of two tokens stands between a query and a key
import torch


def rotary_attention(q, k, v, positions, base=10000.0):
    d = q.shape[-1]
    i = torch.arange(0, d, 2)
    skew = torch.zeros(d, d, dtype=q.dtype)
    skew[i, i + 1] = -(base ** (-i.to(q.dtype) / d))
    skew = skew - skew.T
    turns = torch.linalg.matrix_exp((positions[None, :] - positions[:, None])[..., None, None] * skew)
    scores = torch.einsum("...ic,ijcd,...jd->...ij", q, turns, k) / d**0.5
    return scores.softmax(-1) @ v
