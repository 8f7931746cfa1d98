"""Stands between a call and `flash_attention`, which returns two tensors: a call is after one of them."""


def call(function, Q, K, V, bq, bk, causal=False, part="O"):
    returned = function(Q, K, V, bq, bk, causal)
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        raise TypeError("flash_attention must return two tensors: O and LSE")
    return returned[0 if part == "O" else 1]
