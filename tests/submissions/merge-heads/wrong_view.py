# outcome: wrong
# caught by: values, labels, locality
# misconception: m06-view-splits-heads
def merge_heads(y):
    *leading, heads, tokens, width = y.shape
    return y.reshape(*leading, tokens, heads * width)
