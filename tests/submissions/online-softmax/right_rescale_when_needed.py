# outcome: right
# why: rescales only the rows whose largest score rose, by indexing with truth values
import torch


@torch.no_grad()
def online_softmax_attention(Q, K, V, block):
    flat = [x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)]
    return torch.stack([text(*each, block) for each in zip(*flat)]).reshape(*Q.shape[:-1], V.shape[-1])


def text(Q, K, V, block):
    top = torch.full((len(Q),), -torch.inf, dtype=Q.dtype)
    total, mean = torch.zeros_like(top), torch.zeros(len(Q), V.shape[1], dtype=V.dtype)
    for first in range(0, len(K), block):
        s = torch.addmm(torch.zeros((), dtype=Q.dtype), Q, K[first : first + block].T, alpha=Q.shape[1] ** -0.5)
        largest = s.max(dim=1).values
        risen = largest > top
        shrink = torch.exp(top[risen] - largest[risen])
        total[risen] *= shrink
        mean[risen] *= shrink[:, None]
        top[risen] = largest[risen]
        p = (s - top[:, None]).exp()
        total += p.sum(1)
        mean += p @ V[first : first + block]
    return mean / total[:, None]
