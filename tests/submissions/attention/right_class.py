# outcome: right
# prints: made once
from dataclasses import dataclass

import numpy as np


@dataclass
class Attention:
    width: int

    def weights(self, Q, K):
        scores = np.einsum("...qd,...kd->...qk", Q, K) / self.width**0.5
        return np.exp(scores - np.logaddexp.reduce(scores, axis=-1, keepdims=True))

    def __call__(self, Q, K, V):
        return self.weights(Q, K) @ V


print("made once")


def attention(Q, K, V):
    return Attention(Q.shape[-1])(Q, K, V)
