# outcome: wrong
# caught by: epsilon
# misconception: m11-epsilon-is-decoration
def layer_norm(x, g, b, eps=1e-05):
    return g * (x - x.mean(-1, keepdim=True)) / (x.std(-1, keepdim=True, correction=0) + eps) + b
