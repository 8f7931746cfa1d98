# outcome: right
import torch


def causal_attention(Q, K, V, window=None):
    place = torch.arange(Q.shape[-2])
    behind = place[:, None] - place[None, :]
    allowed = (behind >= 0) & (behind < (window or len(place)))
    scores = torch.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5
    scores = torch.where(allowed, scores, -torch.inf)
    exponentials = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    return exponentials / exponentials.sum(dim=-1, keepdim=True) @ V
