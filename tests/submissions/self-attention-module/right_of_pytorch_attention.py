# outcome: right
# why: PyTorch's own attention with its own dropout, and a mask of truth values
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.dropout = dropout
        for name in ("query", "key", "value"):
            setattr(self, name, nn.Linear(width, inner))
        self.output = nn.Linear(inner, width)

    def forward(self, x, keep=None):
        mask = None if keep is None else keep.unsqueeze(-2).expand(*x.shape[:-1], x.shape[-2])
        p = self.dropout if self.training else 0.0
        mixed = F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x), attn_mask=mask, dropout_p=p)
        return self.output(mixed)
