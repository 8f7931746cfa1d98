# outcome: right
# why: a dataclass for a tile’s answer with an operator that joins two of them; a list comes back
from dataclasses import dataclass

import torch


@dataclass
class Tile:
    out: torch.Tensor
    log: torch.Tensor

    def __add__(self, other):
        log = torch.logaddexp(self.log, other.log)
        return Tile(self._share(log) * self.out + other._share(log) * other.out, log)

    def _share(self, log):
        return torch.exp(self.log - log).unsqueeze(-1)


def tile(q, k, v, hidden):
    s = (q @ k.transpose(-1, -2) * q.size(-1) ** -0.5).masked_fill(hidden, -1e30)
    log = s.logsumexp(-1)
    return Tile(torch.exp(s - log.unsqueeze(-1)) @ v, log)


def flash_attention(Q, K, V, bq, bk, causal=False):
    wide = torch.float64 if Q.dtype is torch.float64 else torch.float32
    place = torch.arange(max(Q.size(-2), K.size(-2)))
    tiles = []
    for q, i in zip(Q.split(bq, -2), place.split(bq)):
        answer = None
        for k, v, j in zip(K.split(bk, -2), V.split(bk, -2), place.split(bk)):
            if not causal or j[0] <= i[q.size(-2) - 1]:
                hidden = (j[: k.size(-2)] > i[: q.size(-2), None]) & causal
                one = tile(q.to(wide), k.to(wide), v.to(wide), hidden)
                answer = one if answer is None else answer + one
        tiles.append(answer)
    return [torch.cat([t.out for t in tiles], -2).to(Q), torch.cat([t.log for t in tiles], -1)]
