# outcome: time
def attention(Q, K, V):
    while True:
        pass
