# outcome: wrong
# caught by: values, order
# misconception: m19-no-rescale
import torch


def online_softmax_attention(Q, K, V, block):
    m = torch.full_like(Q[..., :1], float("-inf"))
    total = torch.zeros_like(m)
    output = torch.zeros(*Q.shape[:-1], V.shape[-1], dtype=Q.dtype)
    for keys, values in zip(K.split(block, dim=-2), V.split(block, dim=-2)):
        scores = Q @ keys.mT / Q.shape[-1] ** 0.5
        larger = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
        weights, kept = torch.exp(scores - larger), torch.exp(m - larger)
        total = total * kept + weights.sum(dim=-1, keepdim=True)
        output = output + weights @ values
        m = larger
    return output / total
