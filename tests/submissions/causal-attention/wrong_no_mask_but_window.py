# outcome: wrong
# caught by: future, first, window
# misconception: m07-only-generation
# why: the window alone does not keep the future out; what is wrong without one is named first
import torch


def causal_attention(Q, K, V, window=None):
    place = torch.arange(Q.shape[-2])
    scores = Q @ K.mT / Q.shape[-1] ** 0.5
    if window is not None:
        scores = scores.masked_fill(place[:, None] - place >= window, -torch.inf)
    return torch.softmax(scores, dim=-1) @ V
