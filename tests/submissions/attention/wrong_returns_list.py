# outcome: wrong
# caught by: shape
def attention(Q, K, V):
    return V.tolist()
