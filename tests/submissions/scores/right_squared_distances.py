# outcome: right
# why: a product from three squared lengths, as |q|² + |k|² - |q - k|²
import numpy as np
from numpy.linalg import norm


def scores(Q, K):
    q2, k2 = norm(Q, axis=-1)[..., :, None] ** 2, norm(K, axis=-1)[..., None, :] ** 2
    return (q2 + k2 - norm(Q[..., :, None, :] - K[..., None, :, :], axis=-1) ** 2) / (2 * Q.shape[-1] ** 0.5)
