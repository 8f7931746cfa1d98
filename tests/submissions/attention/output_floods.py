# outcome: output
def attention(Q, K, V):
    while True:
        print("still thinking " * 100)
