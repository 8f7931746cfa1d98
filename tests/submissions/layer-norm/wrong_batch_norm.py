# outcome: wrong
# caught by: tokens
# misconception: m11-batch-stats
def layer_norm(x, g, b, eps=1e-05):
    return g * (x - x.mean(0, keepdim=True)) / (x.var(0, keepdim=True, correction=0) + eps).sqrt() + b
