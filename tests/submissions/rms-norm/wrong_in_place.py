# outcome: wrong
# caught by: unchanged
# why: the caller's own tensor is divided
def rms_norm(x, g, eps=1e-06):
    x /= (x.square().mean(-1, keepdim=True) + eps).sqrt()
    return g * x
