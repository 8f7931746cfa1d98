"""Stands between a call and `transformer_block`: a call sends arrays one by one, the function takes a dictionary.

`part` says what the call is after: the output, or whether the dictionary holds the same as before, 1 for yes.
"""

NAMES = ("Wq", "Wk", "Wv", "Wo", "g1", "b1", "g2", "b2", "W1", "c1", "W2", "c2", "heads")


def call(function, x, *given):
    params = dict(zip(NAMES, given))  # noqa: B905 (what is left over is causal and part)
    causal, part = given[len(NAMES) :][:1], given[len(NAMES) :][1:]
    before = dict(params)
    output = function(x, params, *causal)
    if not part:
        return output
    is_same = params.keys() == before.keys() and all(params[name] is before[name] for name in NAMES)
    return x.reshape(-1)[:1] * 0 + is_same  # a tensor of one number, and NumPy’s for the programs of the course
