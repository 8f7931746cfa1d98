# outcome: wrong
# caught by: shape
def attention(Q, K, V):
    result = Q @ K.swapaxes(-1, -2) @ V
