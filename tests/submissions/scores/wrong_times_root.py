# outcome: wrong
# caught by: values, spread
# misconception: m02-scale-confusion
def scores(Q, K):
    d = Q.shape[-1]
    return (Q @ K.swapaxes(-1, -2)) / d**-0.5
