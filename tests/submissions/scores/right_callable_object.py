# outcome: right
# why: the name is bound to an object that can be called, whose rule is a static method
import numpy as np


class Scores:
    __slots__ = ("power",)

    def __init__(self, power=-0.5):
        self.power = power

    @staticmethod
    def products(Q, K):
        return np.matmul(K, Q.swapaxes(-1, -2)).swapaxes(-1, -2)

    def __call__(self, Q, K):
        return self.products(Q, K) * Q.shape[-1] ** self.power


scores = Scores()
