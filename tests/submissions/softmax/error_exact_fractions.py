# outcome: error
# line: 9
# why: math works on one number at a time
import math


def softmax(x, axis=-1):
    x = x - x.max(axis=axis, keepdims=True)
    return math.exp(x) / math.exp(x).sum(axis=axis, keepdims=True)
