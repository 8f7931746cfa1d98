# outcome: right
# why: the keys come in pieces, with a running maximum; groups get an axis of their own
import torch


def grouped_query_attention(q, k, v, piece=512):
    q = q.unflatten(-3, (k.shape[-3], -1)) / q.shape[-1] ** 0.5
    top = q.new_full((*q.shape[:-1], 1), -torch.inf)
    total, mean = torch.zeros_like(top), q.new_zeros(*q.shape[:-1], v.shape[-1])
    for keys, values in zip(k.split(piece, -2), v.split(piece, -2)):
        s = torch.einsum("...grid,...gjd->...grij", q, keys)
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        p, old = torch.exp(s - new), torch.exp(top - new)
        total, mean = old * total + p.sum(-1, keepdim=True), old * mean + torch.einsum("...grij,...gjv->...griv", p, values)
        top = new
    return (mean / total).flatten(-4, -3)
