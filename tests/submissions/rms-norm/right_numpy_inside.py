# outcome: right
import numpy as np
import torch


def rms_norm(x, g, eps=1e-06):
    rows = x.numpy()
    below = np.sqrt(np.mean(np.square(rows), axis=-1, keepdims=True) + eps)
    return torch.from_numpy(np.asarray(rows / below)) * g
