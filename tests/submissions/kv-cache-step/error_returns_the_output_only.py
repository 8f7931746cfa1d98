# outcome: error
def decode_step(x, cache, params):
    return x @ params["Wv"]
