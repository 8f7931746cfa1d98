# outcome: right
# why: a sum over named axes, and a diagonal of gains
import torch


def rms_norm(x, g, eps=1e-06):
    squares = torch.einsum("...c,...c->...", x, x) / x.shape[-1]
    return torch.einsum("...c,...,cd->...d", x, (squares + eps) ** -0.5, torch.diag(g))
