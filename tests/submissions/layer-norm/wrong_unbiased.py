# outcome: wrong
# caught by: values, standard
# misconception: m11-unbiased-variance
# why: PyTorch divides by the width less one unless told otherwise
def layer_norm(x, g, b, eps=1e-05):
    return g * (x - x.mean(-1, keepdim=True)) / (x.var(-1, keepdim=True) + eps).sqrt() + b
