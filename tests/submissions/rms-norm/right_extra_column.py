# outcome: right
# why: eps is one more column, and the norm a length; the batch is turned into columns on the way
import math

import torch


def rms_norm(x, g, eps=1e-06):
    n = x.shape[-1]
    columns = x.reshape(-1, n).T
    longer = torch.vstack([columns, torch.full_like(columns[:1], math.sqrt(n * eps))])
    return (columns / torch.hypot(torch.linalg.norm(longer, dim=0), torch.zeros(()).to(x)) * math.sqrt(n)).T.reshape(x.shape) * g
