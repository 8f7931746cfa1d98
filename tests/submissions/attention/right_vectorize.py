# outcome: right
# why: np.vectorize with a signature takes care of the leading axes; the inner function sees tables only
import numpy as np


@np.vectorize(signature="(q,d),(k,d),(k,v)->(q,v)")
def attention(Q, K, V):
    weights = np.exp(np.inner(Q, K) / np.sqrt(Q.shape[1]) - (np.inner(Q, K) / np.sqrt(Q.shape[1])).max(1)[:, None])
    return np.diag(1 / weights.sum(1)) @ weights @ V
