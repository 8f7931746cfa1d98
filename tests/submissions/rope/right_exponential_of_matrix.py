# outcome: right
# why: a turn is the exponential of a matrix that is its own negative when turned over
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    theta = torch.as_tensor(base, dtype=x.dtype) ** -(torch.arange(0, d, 2).to(x) / d)
    up = torch.zeros(d, d, dtype=x.dtype)
    up[range(1, d, 2), range(0, d, 2)] = theta
    turns = torch.matrix_exp(positions[:, None, None] * (up - up.T))
    return (turns @ x.unsqueeze(-1)).squeeze(-1)
