# outcome: right
# why: classes with properties and an overloaded operator; results are kept in a dictionary
import numpy as np


class Row:
    def __init__(self, table):
        self.table = table

    def __rshift__(self, W):
        return Row(self.table @ W)

    def __matmul__(self, other):
        return self.table @ np.swapaxes(other.table, -1, -2)

    def part(self, n, of):
        return Row(np.array_split(self.table, of, axis=-1)[n])

    @property
    def width(self):
        return self.table.shape[-1]


def multi_head_attention(x, Wq, Wk, Wv, Wo, heads):
    x, found = Row(x), {}
    for n in range(heads):
        q, k, v = ((x >> W).part(n, heads) for W in (Wq, Wk, Wv))
        logits = (q @ k) / np.sqrt(q.width)
        weights = np.exp(logits - np.log(np.exp(logits - (m := logits.max(-1, keepdims=True))).sum(-1, keepdims=True)) - m)
        found[n] = weights @ v.table
    return np.concatenate([found[n] for n in sorted(found)], -1) @ Wo
