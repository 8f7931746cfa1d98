import numpy as np


def attention(Q, K, V):
    """Return one row for each query: an average of the rows of V, weighted by how well the keys match."""
    raise NotImplementedError("write attention here")
