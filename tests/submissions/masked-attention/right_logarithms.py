# outcome: right
# why: in the logarithm: log(keep) is 0 or minus infinity, and a row without keys has no logarithm to subtract
import numpy as np


def masked_attention(Q, K, V, keep):
    with np.errstate(divide="ignore", invalid="ignore"):
        s = Q @ np.moveaxis(K, -1, -2) / np.sqrt(Q.shape[-1]) + np.log(keep.astype(float))
        weights = np.nan_to_num(np.exp(s - np.logaddexp.reduce(s, axis=-1, keepdims=True)))
    return weights @ V
