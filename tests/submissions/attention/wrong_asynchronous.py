# outcome: wrong
# caught by: shape
# got: leave async out
# prints: RuntimeWarning: coroutine 'attention' was never awaited
import numpy as np


def right(Q, K, V):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


async def attention(Q, K, V):
    return right(Q, K, V)
