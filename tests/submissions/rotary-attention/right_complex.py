# outcome: right
# why: complex numbers; the real part of a product with the conjugate is the score
import torch


def rotary_attention(q, k, v, positions, base=10000.0):
    d = q.shape[-1]
    angles = torch.outer(positions, base ** -(torch.arange(0, d, 2, dtype=q.dtype) / d))
    turn = torch.polar(torch.ones_like(angles), angles)
    zq, zk = (torch.view_as_complex(x.contiguous().unflatten(-1, (-1, 2))) * turn for x in (q, k))
    scores = torch.einsum("...qi,...ki->...qk", zq, zk.conj()).real / d**0.5
    return scores.softmax(dim=-1) @ v
