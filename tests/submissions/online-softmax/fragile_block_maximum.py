# outcome: fragile
# caught by: large
# misconception: m19-block-maximum
import torch


def online_softmax_attention(Q, K, V, block):
    m, total, output = None, 0, 0
    for begin in range(0, K.shape[-2], block):
        scores = Q @ K[..., begin : begin + block, :].mT / Q.shape[-1] ** 0.5
        own = scores.amax(dim=-1, keepdim=True)
        kept = torch.exp(m - own) if m is not None else torch.zeros_like(own)
        weights = torch.exp(scores - own)
        total = total * kept + weights.sum(dim=-1, keepdim=True)
        output = output * kept + weights @ V[..., begin : begin + block, :]
        m = own
    return output / total
