# outcome: right
# why: a function of one token, mapped over all of them by torch.vmap
import torch


def one(token, gain, shift, eps):
    variance, mean = torch.var_mean(token, correction=0)
    return (token - mean).div((variance + eps).sqrt()).mul(gain).add(shift)


def layer_norm(x, g, b, eps=1e-05):
    return torch.vmap(one, in_dims=(0, None, None, None))(x.reshape(-1, x.shape[-1]), g, b, eps).view(x.shape)
