# outcome: time
import torch


def causal_attention(Q, K, V, window=None):
    while True:
        Q = torch.softmax(Q, -1)
