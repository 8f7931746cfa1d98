# outcome: right
# why: broadcasts all pairs into one large array and sums; the softmax is a sum of ratios of pairs
import numpy as np

attention = lambda Q, K, V: (  # noqa: E731
    (lambda s: (1 / np.exp(s[..., None, :] - s[..., :, None]).sum(-1))[..., None] * V[..., None, :, :])(
        (Q[..., :, None, :] * K[..., None, :, :]).sum(-1) * Q.shape[-1] ** -0.5
    ).sum(-2)
)
