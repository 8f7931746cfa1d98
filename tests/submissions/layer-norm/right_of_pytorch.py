# outcome: right
from torch.nn.functional import layer_norm as of_pytorch


def layer_norm(x, g, b, eps=1e-05):
    return of_pytorch(x, (x.shape[-1],), g, b, eps)
