# outcome: right
import torch


class Norm:
    def __init__(self, eps):
        self.eps = eps

    def __call__(self, x):
        share = x.new_full((x.shape[-1],), 1 / x.shape[-1])
        centred = x - torch.einsum("...d,d->...", x, share)[..., None]
        return centred * torch.rsqrt(torch.einsum("...d,...d,d->...", centred, centred, share) + self.eps)[..., None]


def layer_norm(x, g, b, eps=1e-05):
    return torch.addcmul(b, Norm(eps)(x), g)
