# outcome: error
def attention(Q, K, V):
    raise SystemExit
