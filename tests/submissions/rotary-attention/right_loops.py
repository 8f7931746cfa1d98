# outcome: right
# why: scores from distances alone: no token is ever turned, but each product of pairs is
import math

import torch


def rotary_attention(q, k, v, positions, base=10000.0):
    d, n = q.shape[-1], q.shape[-2]
    theta = [base ** (-i / d) for i in range(0, d, 2)]
    rows = []
    for i in range(n):
        scores = []
        for j in range(n):
            total = 0.0
            for pair, frequency in enumerate(theta):
                a = float(positions[i] - positions[j]) * frequency
                q0, q1, k0, k1 = q[..., i, 2 * pair], q[..., i, 2 * pair + 1], k[..., j, 2 * pair], k[..., j, 2 * pair + 1]
                total = total + (q0 * k0 + q1 * k1) * math.cos(a) + (q0 * k1 - q1 * k0) * math.sin(a)
            scores.append(total / math.sqrt(d))
        weights = torch.softmax(torch.stack(scores, -1), -1)
        rows.append((weights.unsqueeze(-1) * v).sum(-2))
    return torch.stack(rows, -2)
