# outcome: right
# why: the mean is kept divided at all times, and moves towards each block by that block's share
import torch


def online_softmax_attention(Q, K, V, block):
    mean = log = None
    for k, v in zip(torch.split(K, block, dim=-2), torch.split(V, block, dim=-2)):
        scores = Q.matmul(k.transpose(-1, -2)) / K.shape[-1] ** 0.5
        own_log = torch.logsumexp(scores, dim=-1, keepdim=True)
        own = torch.exp(scores - own_log) @ v
        if mean is None:
            mean, log = own, own_log
            continue
        share = torch.sigmoid(own_log - log)
        mean = torch.lerp(mean, own, share)
        log = torch.logaddexp(log, own_log)
    return mean
