# outcome: right
# why: adding a finite number is as good as infinity in float64, and empty rows are blanked at the end
import numpy as np


def masked_attention(Q, K, V, keep):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1]) + (1 - keep) * -1e12
    scores = scores - scores.max(-1, keepdims=True)
    weights = np.exp(scores) * keep
    sums = weights.sum(-1, keepdims=True)
    return np.divide(weights, sums, out=np.zeros_like(weights), where=sums > 0) @ V
