# outcome: right
# why: arguments by a star, a base among the keywords, values weighted in a loop over keys
import torch as t


def rotary_attention(*tensors, base=10000.0):
    if len(tensors) == 5:
        *tensors, base = tensors
    q, k, v, positions = tensors
    half = q.shape[-1] // 2
    w = t.logspace(0, -1, half + 1, base=float(base), dtype=t.float64)[:half]
    angle = positions.view(-1, 1) @ w.view(1, -1)
    turn = lambda x: t.view_as_real(t.view_as_complex(x.reshape(*x.shape[:-1], half, 2).contiguous()) * t.exp(1j * angle)).flatten(-2)  # noqa: E731
    s = t.baddbmm(t.zeros(()).to(q), turn(q).flatten(0, -3), turn(k).flatten(0, -3).mT) if q.ndim > 2 else turn(q) @ turn(k).T
    s = (s / (2 * half) ** 0.5).softmax(-1).reshape(*q.shape[:-1], -1)
    out = t.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for j in range(k.shape[-2]):
        out += s[..., j : j + 1] * v[..., j : j + 1, :]
    return out
