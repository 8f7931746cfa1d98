# outcome: fragile
# caught by: large
# misconception: m07-any-negative-will-do
# why: enough for ordinary scores, and beaten by scores far below it
import torch


def causal_attention(Q, K, V, window=None):
    place = torch.arange(Q.shape[-2])
    behind = place[:, None] - place
    hidden = (behind < 0) | (behind >= (window or len(place)))
    scores = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -100)
    return torch.softmax(scores, -1) @ V
