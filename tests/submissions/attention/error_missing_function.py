# outcome: error
def attend(Q, K, V):
    return V
