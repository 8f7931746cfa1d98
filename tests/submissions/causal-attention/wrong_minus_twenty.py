# outcome: wrong
# caught by: future
# misconception: m07-any-negative-will-do
# why: near enough for the values; the amplified future gives it away
import torch


def causal_attention(Q, K, V, window=None):
    n = Q.shape[-2]
    place = torch.arange(n)
    behind = place[:, None] - place
    hidden = (behind < 0) | (behind >= (window or n))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -20.0)
    return torch.softmax(scores, -1) @ V
