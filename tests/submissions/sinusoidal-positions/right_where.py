# outcome: right
# why: np.where chooses between sine and cosine, np.repeat gives both columns of a pair their angle
import numpy as np


def sinusoidal_positions(T: int, d: int, base: float = 10000) -> np.ndarray:
    angles = np.multiply.outer(np.arange(T, dtype=float), np.repeat(1 / base ** (np.arange(d // 2) * 2 / d), 2))
    return np.where(np.arange(d) % 2 == 0, np.sin(angles), np.cos(angles))
