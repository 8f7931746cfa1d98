# outcome: wrong
# caught by: shape
# misconception:
def attention(Q, K, V):
    return V
