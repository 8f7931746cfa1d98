# outcome: right
# why: a dictionary of modules is filled first and its entries become attributes; star arguments in forward
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, *sizes, dropout=0.0):
        super().__init__()
        if len(sizes) == 3:
            *sizes, dropout = sizes
        width, inner = sizes
        self.__dict__["_modules"].update(
            {name: nn.Linear(*(io if name != "output" else io[::-1])) for name in ("query", "key", "value", "output") for io in [(width, inner)]}
        )
        self.drop = dropout

    def forward(self, *args, **kwargs):
        x, keep = (*args, kwargs.get("keep"), None)[:2]
        w = self.query(x) @ self.key(x).mT / self.query.out_features**0.5
        w = w if keep is None else w.masked_fill(~keep[..., None, :], -1e18)
        w = nn.functional.dropout(w.softmax(-1), self.drop, self.training)
        return self.output(w @ self.value(x))
