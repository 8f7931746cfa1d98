# outcome: right
# why: the sum of exponentials travels as a further column of ones among the values
import torch


def online_softmax_attention(Q, K, V, block):
    V = torch.cat([V, torch.ones_like(V[..., :1])], dim=-1)
    m, state = torch.full_like(Q[..., :1], -torch.inf), 0.0
    for begin in range(0, K.shape[-2], block):
        part = slice(begin, begin + block)
        scores = torch.einsum("...id,...jd->...ij", Q, K[..., part, :]) * Q.shape[-1] ** -0.5
        larger = torch.maximum(m, scores.max(-1, True).values)
        state = torch.exp(m - larger) * state + torch.exp(scores - larger) @ V[..., part, :]
        m = larger
    return state[..., :-1] / state[..., -1:]
