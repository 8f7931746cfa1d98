# outcome: error
from torch import nn


class Attention(nn.Module):
    pass
