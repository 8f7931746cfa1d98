# outcome: right
def split_heads(x, heads):
    *leading, tokens, width = x.shape
    return x.reshape(*leading, tokens, heads, width // heads).swapaxes(-2, -3)
