# outcome: right
# why: from the last block to the first, with a logarithm of the sum instead of maximum and sum
import math

import torch


def online_softmax_attention(Q, K, V, block):
    log, mean = torch.full(Q.shape[:-1], -math.inf, dtype=Q.dtype), torch.zeros((), dtype=V.dtype)
    starts = [*range(0, K.size(-2), block)]
    while starts:
        first = starts.pop()
        keys, values = K.narrow(-2, first, min(block, K.size(-2) - first)), V[..., first : first + block, :]
        s = torch.einsum("...qd,...kd->...qk", Q, keys) / math.sqrt(Q.size(-1))
        both = torch.logaddexp(log, s.logsumexp(-1))
        mean = torch.exp(log - both).unsqueeze(-1) * mean + torch.exp(s - both.unsqueeze(-1)) @ values
        log = both
    return mean
