# outcome: right
# why: NumPy's complex numbers through a view of the memory, and out_features by as_tensor
import numpy as np
import torch


def rope(x, positions, base=10000.0, /):
    pairs = np.ascontiguousarray(x.numpy()).view(np.complex128)
    theta = np.power(base, -np.arange(0, x.shape[-1], 2) / x.shape[-1])
    return torch.as_tensor((pairs * np.exp(1j * np.outer(positions, theta))).view(np.float64))
