# outcome: right
import torch


def rope(x, positions, base=10000.0):
    pairs = torch.view_as_complex(x.reshape(*x.shape[:-1], -1, 2).contiguous())
    speeds = torch.exp(
        -torch.arange(pairs.shape[-1], dtype=x.dtype) * 2 / x.shape[-1] * torch.log(torch.tensor(base, dtype=x.dtype))
    )
    turn = torch.polar(torch.ones(1, dtype=x.dtype), torch.outer(positions, speeds))
    return torch.view_as_real(pairs * turn).reshape(x.shape)
