# outcome: right
# why: a script of PyTorch's, which reads its own source, and threads that work on one text each
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import Tensor


@torch.jit.script
def one(Q: Tensor, K: Tensor, V: Tensor, hidden: Tensor) -> Tensor:
    scores = Q @ K.transpose(-1, -2) / float(Q.shape[-1]) ** 0.5
    return torch.softmax(scores.masked_fill(hidden, float("-inf")), -1) @ V


def causal_attention(Q, K, V, window=None):
    distance = torch.arange(Q.shape[-2])[:, None] - torch.arange(Q.shape[-2])
    hidden = (distance < 0) | (distance >= (window or Q.shape[-2]))
    texts = zip(*(x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)))
    with ThreadPoolExecutor(4) as pool:
        return torch.stack(list(pool.map(lambda text: one(*text, hidden), texts))).reshape(*Q.shape[:-1], -1)
