# outcome: right
# why: a group norm of one group over each token does the same
from functools import partial

import torch.nn.functional as F

one_group = partial(F.group_norm, num_groups=1)


def layer_norm(x, g, b, eps=1e-05, *unused, **also_unused):
    return one_group(x.reshape(-1, x.shape[-1]), weight=g, bias=b, eps=eps).unflatten(0, x.shape[:-1])
