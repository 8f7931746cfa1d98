# outcome: right
# remark: float32
# why: angles in float32, as models keep their tables
import torch


def decode_step(x, cache, params):
    past = cache["K"].shape[-2] if cache is not None else 0
    theta = torch.tensor([10000.0 ** (-2 * i / x.shape[-1]) for i in range(x.shape[-1] // 2)])
    angle = (torch.arange(past, past + x.shape[-2]).unsqueeze(-1) * theta).repeat_interleave(2, dim=-1)
    c, s = angle.cos(), angle.sin()
    f = lambda z: z * c + torch.stack((-z[..., 1::2], z[..., ::2]), -1).reshape(z.shape) * s  # noqa: E731
    K, V = f(x @ params["Wk"]), x @ params["Wv"]
    if cache is not None:
        K, V = (torch.cat([cache[n], new], -2) for n, new in (("K", K), ("V", V)))
    S = f(x @ params["Wq"]) @ K.mT / x.shape[-1] ** 0.5
    S = S.masked_fill(torch.ones(S.shape[-2:]).triu(past + 1).bool(), -torch.inf)
    return torch.softmax(S, -1) @ V, {"K": K, "V": V}
