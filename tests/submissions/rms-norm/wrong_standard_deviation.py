# outcome: wrong
# caught by: standard
# misconception: m11-rms-centres
def rms_norm(x, g, eps=1e-06):
    return g * x / (x.var(-1, keepdim=True, correction=0) + eps).sqrt()
