# outcome: right
# why: PyTorch's own attention does the middle part
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, inner, dropout=0.0):
        super().__init__()
        self.p = dropout
        self.query, self.key, self.value = (nn.Linear(width, inner) for _ in range(3))
        self.output = nn.Linear(inner, width)

    def forward(self, x, keep=None):
        mask = None if keep is None else keep[..., None, :]
        p = self.p if self.training else 0.0
        found = F.scaled_dot_product_attention(self.query(x), self.key(x), self.value(x), attn_mask=mask, dropout_p=p)
        return self.output(found)
