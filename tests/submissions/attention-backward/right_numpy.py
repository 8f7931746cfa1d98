# outcome: right
# why: NumPy inside, with a helper class that keeps what the way forwards leaves behind
import numpy as np
import torch


class Attention:
    def __init__(self, Q, K, V, causal):
        self.Q, self.K, self.V, self.root = Q, K, V, np.sqrt(Q.shape[-1])
        S = Q @ K.swapaxes(-1, -2) / self.root
        S = np.where(np.tri(*S.shape[-2:], dtype=bool), S, -np.inf) if causal else S
        self.P = np.exp(S - S.max(-1, keepdims=True))
        self.P /= self.P.sum(-1, keepdims=True)

    def backward(self, dO):
        dP = dO @ self.V.swapaxes(-1, -2)
        dS = self.P * (dP - (dP * self.P).sum(-1, keepdims=True)) / self.root
        yield dS @ self.K
        yield dS.swapaxes(-1, -2) @ self.Q
        yield self.P.swapaxes(-1, -2) @ dO


def attention_backward(Q, K, V, dO, causal=False):
    made = Attention(Q.numpy(), K.numpy(), V.numpy(), causal)
    return tuple(map(torch.from_numpy, made.backward(dO.numpy())))
