# outcome: right
# why: a function of autograd's own kind, with its backward step written out
import torch


class RMS(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        factor = x.pow(2).mean(-1, keepdim=True).add(eps).rsqrt()
        ctx.save_for_backward(x, factor)
        return x * factor

    @staticmethod
    def backward(ctx, grad):
        x, factor = ctx.saved_tensors
        return factor * (grad - x * factor**2 * (grad * x).mean(-1, keepdim=True)), None


def rms_norm(x, g, eps=1e-06):
    return RMS.apply(x, eps) * g
