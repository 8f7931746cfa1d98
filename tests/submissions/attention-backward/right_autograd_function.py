# outcome: right
# why: a function of autograd's own kind; its backward step is written out and asked for by autograd.grad
import torch


class Attend(torch.autograd.Function):
    @staticmethod
    def forward(ctx, Q, K, V, causal):
        S = Q @ K.mT / Q.shape[-1] ** 0.5
        if causal:
            S += torch.log(torch.ones_like(S).tril())
        P = torch.softmax(S, -1)
        ctx.save_for_backward(Q, K, V, P)
        return P @ V

    @staticmethod
    def backward(ctx, dO):
        Q, K, V, P = ctx.saved_tensors
        dP = dO @ V.mT
        dS = P * (dP - (P * dP).sum(-1, keepdim=True)) / Q.shape[-1] ** 0.5
        return dS @ K, dS.mT @ Q, P.mT @ dO, None


def attention_backward(Q, K, V, dO, causal=False):
    leaves = [each.clone().requires_grad_(True) for each in (Q, K, V)]
    with torch.enable_grad():
        return torch.autograd.grad(Attend.apply(*leaves, causal), leaves, grad_outputs=dO)
