# outcome: right
# why: an object that holds the maps, as layers do, with a method for each step
from dataclasses import dataclass, field

import numpy as np


@dataclass
class CrossAttention:
    Wq: np.ndarray
    Wk: np.ndarray
    Wv: np.ndarray
    Wo: np.ndarray
    heads: int
    steps: list = field(default_factory=list)

    def split(self, table):
        return table.reshape(*table.shape[:-1], self.heads, -1).swapaxes(-2, -3)

    def weights(self, asks, answers, keep):
        s = self.split(asks @ self.Wq) @ self.split(answers @ self.Wk).swapaxes(-1, -2)
        s /= (self.Wq.shape[1] // self.heads) ** 0.5
        if keep is not None:
            s += np.where(keep, 0.0, -np.inf)[..., None, None, :]
        self.steps.append(s)
        return np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True))

    def forward(self, asks, answers, keep=None):
        mixed = self.weights(asks, answers, keep) @ self.split(answers @ self.Wv)
        return mixed.swapaxes(-2, -3).reshape(asks.shape) @ self.Wo


def cross_attention(x_q, x_kv, Wq, Wk, Wv, Wo, heads, kv_keep=None):
    return CrossAttention(Wq, Wk, Wv, Wo, heads).forward(x_q, x_kv, kv_keep)
