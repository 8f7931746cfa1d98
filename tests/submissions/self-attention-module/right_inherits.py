# outcome: right
# why: a base class makes the maps, and a method that is overridden gives the weights
import math

import torch
from torch import Tensor, nn


class Maps(nn.Module):
    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.add_module("query", nn.Linear(width, inner, bias=True))
        self.add_module("key", nn.Linear(width, inner, bias=True))
        self.add_module("value", nn.Linear(width, inner, bias=True))
        self.add_module("output", nn.Linear(inner, width, bias=True))

    def weights(self, scores: Tensor) -> Tensor:
        raise NotImplementedError

    def forward(self, x: Tensor, keep: Tensor | None = None) -> Tensor:
        scores = torch.matmul(self.query(x), self.key(x).mT) / math.sqrt(self.query.out_features)
        if keep is not None:
            scores = torch.where(keep[..., None, :], scores, torch.finfo(scores.dtype).min)
        return self.output(torch.matmul(self.weights(scores), self.value(x)))


class SelfAttention(Maps):
    def __init__(self, width: int, inner: int, dropout: float = 0.0) -> None:
        super().__init__(width, inner)
        self.soft = nn.Sequential(nn.Softmax(dim=-1), nn.Dropout(p=dropout))

    def weights(self, scores: Tensor) -> Tensor:
        return self.soft(scores)
