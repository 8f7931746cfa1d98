# outcome: right
from torch import nn


def rms_norm(x, g, eps=1e-06):
    return nn.functional.rms_norm(x, (x.shape[-1],), g, eps)
