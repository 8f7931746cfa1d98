# outcome: error
# remark: float32
# line: 9
# why: float32 weights and float64 values do not multiply
import torch


def causal_attention(Q, K, V, window=None):
    return torch.softmax(Q.float() @ K.float().mT, -1).tril() @ V
