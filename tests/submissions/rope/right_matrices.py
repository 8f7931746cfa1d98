# outcome: right
# why: a small matrix for every pair, in one block matrix for each token
import torch


def rope(x, positions, base=10000.0):
    d = x.shape[-1]
    turned = []
    for t, p in enumerate(positions.tolist()):
        angles = [p * base ** (-2 * i / d) for i in range(d // 2)]
        blocks = [torch.tensor([[a.cos(), -a.sin()], [a.sin(), a.cos()]], dtype=x.dtype) for a in map(torch.tensor, torch.tensor(angles, dtype=x.dtype))]
        turned.append(x[..., t, :] @ torch.block_diag(*blocks).T)
    return torch.stack(turned, dim=-2)
