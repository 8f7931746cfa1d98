import torch


def rotary_attention(q, k, v, positions, base=10000.0):
    """Return attention whose queries and keys are turned by their positions."""
    raise NotImplementedError("write rotary_attention here")
