# outcome: fragile
# case: A12
# caught by: low-precision
# why: float16 ends at 65504, so -1e9 cannot be written into its scores; in float64 it is as good as minus infinity
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    outputs, logarithms = [], []
    for top, queries in zip(range(0, Q.shape[-2], bq), Q.split(bq, dim=-2)):
        m = torch.full_like(queries[..., :1], -60000.0)
        total, output = torch.zeros_like(m), 0.0
        for begin, keys, values in zip(range(0, K.shape[-2], bk), K.split(bk, -2), V.split(bk, -2)):
            scores = queries @ keys.mT / Q.shape[-1] ** 0.5
            if causal:
                i, j = torch.arange(top, top + scores.shape[-2]), torch.arange(begin, begin + scores.shape[-1])
                scores = scores.masked_fill(j > i[:, None], -1e9)
            larger = torch.maximum(m, scores.amax(dim=-1, keepdim=True))
            weights, kept = torch.exp(scores - larger), torch.exp(m - larger)
            total = total * kept + weights.sum(dim=-1, keepdim=True)
            output, m = output * kept + weights @ values, larger
        outputs.append(output / total)
        logarithms.append((m + total.log()).squeeze(-1))
    return torch.cat(outputs, dim=-2), torch.cat(logarithms, dim=-1)
