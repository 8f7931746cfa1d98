# outcome: right
# why: NumPy inside, through a shared memory view, and from_numpy at the end
import numpy as np
import torch


def layer_norm(x, g, b, eps=1e-05):
    table = np.array(x)
    table -= table.mean(-1, keepdims=True)
    table /= np.sqrt(table.var(-1, keepdims=True) + eps)
    return torch.from_numpy(table * g.numpy() + b.numpy())
