# outcome: wrong
# caught by: first
# misconception: m07-blocks-diagonal
import torch


def causal_attention(Q, K, V, window=None):
    place = torch.arange(Q.shape[-2])
    behind = place[:, None] - place
    hidden = (behind <= 0) | (behind >= (window or len(place)))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf)
    return torch.softmax(scores, -1) @ V
