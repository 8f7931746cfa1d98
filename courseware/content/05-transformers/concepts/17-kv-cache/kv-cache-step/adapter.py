"""Stands between a call and `decode_step`: a call sends a whole text and how it is cut, the function gets the pieces.

`part` says what the call is after: the outputs of all pieces, what the last cache holds, or the output of the last
piece when the function has continued from the same cache once before.
"""


def call(function, x, chunks, Wq, Wk, Wv, part="outputs"):
    params = {"Wq": Wq, "Wk": Wk, "Wv": Wv}
    cache, outputs, begin = None, [], 0
    for chunk in chunks:
        piece = x[..., begin : begin + int(chunk), :]
        begin += int(chunk)
        if part == "continued twice" and begin == x.shape[-2]:
            pair(function(piece, cache, params))
        output, cache = pair(function(piece, cache, params))
        outputs.append(output)
    if part == "K":
        return cache["K"] * 0  # the keys may lie there turned or not, so only their shape tells anything
    if part == "V":
        return cache["V"]
    return outputs[-1] if part == "continued twice" else joined(outputs)


def pair(returned):
    if not isinstance(returned, tuple | list) or len(returned) != 2:
        raise TypeError("decode_step must return two things: the output and the new cache")
    if not isinstance(returned[1], dict) or not {"K", "V"} <= set(returned[1]):
        raise TypeError('the new cache must be a dictionary that holds "K" and "V"')
    return returned


def joined(outputs):
    if hasattr(outputs[0], "new_empty"):
        import torch

        return torch.cat(outputs, dim=-2)
    import numpy

    return numpy.concatenate(outputs, axis=-2)
