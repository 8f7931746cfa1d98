# outcome: error
# line: 5
import numpy as np

def attention(Q, K, V)
    return V
