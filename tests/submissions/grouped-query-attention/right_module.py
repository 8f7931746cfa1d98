# outcome: right
# why: a module without parameters, and heads that are cut by chunk
import torch
from torch import Tensor, nn


class Shared(nn.Module):
    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups, self.soft = groups, nn.Softmax(dim=-1)

    def forward(self, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
        cut = zip(q.chunk(self.groups, -3), k.chunk(self.groups, -3), v.chunk(self.groups, -3))
        return torch.cat([self.soft(a.matmul(b.mT).div(b.shape[-1] ** 0.5)).matmul(c) for a, b, c in cut], dim=-3)


def grouped_query_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    return Shared(k.shape[-3])(q, k, v).detach()
