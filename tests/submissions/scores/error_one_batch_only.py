# outcome: error
# misconception:
def scores(Q, K):
    queries, width = Q.shape
    return Q @ K.T / width**0.5
