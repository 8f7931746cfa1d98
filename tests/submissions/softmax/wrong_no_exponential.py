# outcome: wrong
# caught by: shift, order
# misconception: m03-any-normaliser
def softmax(x, axis=-1):
    return x / x.sum(axis=axis, keepdims=True)
