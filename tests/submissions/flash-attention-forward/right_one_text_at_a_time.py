# outcome: right
# why: leading axes are flattened and looped over; tiles come from unfold-like slices of two dimensions
import torch


def flash_attention(Q, K, V, bq, bk, causal=False):
    lead = Q.shape[:-2]
    texts = zip(*(x.reshape(-1, *x.shape[-2:]).unbind(0) for x in (Q, K, V)))
    pairs = [text(q, k, v, bq, bk, causal) for q, k, v in texts]
    O, LSE = (torch.stack(each) for each in zip(*pairs))
    return O.view(*lead, *O.shape[1:]), LSE.view(*lead, *LSE.shape[1:])


def text(Q, K, V, bq, bk, causal):
    wide = torch.double if Q.dtype == torch.double else torch.float
    O, L = torch.zeros(len(Q), V.shape[1], dtype=wide), torch.full((len(Q), 1), -torch.inf, dtype=wide)
    for i in range(0, len(Q), bq):
        for j in range(0, len(K), bk):
            s = Q[i : i + bq].to(wide) @ K[j : j + bk].T.to(wide) * Q.shape[1] ** -0.5
            if causal:
                s = s.where(torch.ones_like(s, dtype=torch.bool).tril(i - j), s.new_tensor(-torch.inf))
                if bool(s.isneginf().all()):
                    continue
            own = s.logsumexp(1, keepdim=True)
            new = torch.logaddexp(L[i : i + bq], own)
            O[i : i + bq] *= torch.exp(L[i : i + bq] - new)
            O[i : i + bq] += torch.exp(s - new) @ V[j : j + bk].to(wide)
            L[i : i + bq] = new
    return O.type(Q.dtype), L[:, 0]
