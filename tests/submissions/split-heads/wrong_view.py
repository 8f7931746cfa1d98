# outcome: wrong
# caught by: values, labels, locality
# misconception: m06-view-splits-heads
def split_heads(x, heads):
    *leading, tokens, width = x.shape
    return x.reshape(*leading, heads, tokens, width // heads)
