"""Stands between a call and `SelfAttention`: builds the learner's layer, gives it the parameters by name and calls it.

`part` says what the call is after: the output, that of a second call, since a layer could remember the first, which of
the parameters the layer has, which of them a gradient reaches, or how it drops weights that are all equal. The correct and known-wrong programs of the course are functions, which are called as they are.
"""

NAMES = tuple(f"{map}.{kind}" for map in ("query", "key", "value", "output") for kind in ("weight", "bias"))


def call(made, x, *given):
    if not isinstance(made, type) and not hasattr(x, "new_empty"):  # no tensor, so no learner's program
        return made(x, *given)
    return built(made, x, dict(zip(NAMES, given)), *given[len(NAMES) :])  # noqa: B905 (what is left over follows)


def built(made, x, parameters, keep=None, dropout=0.0, mode="evaluation", part="output"):
    import torch

    torch.manual_seed(0)  # what is made beyond the eight parameters is the same each time
    if not isinstance(made, type):
        raise TypeError("SelfAttention must be a class")
    inner, width = parameters["query.weight"].shape
    layer = made(width, inner, dropout)
    if not isinstance(layer, torch.nn.Module):
        raise TypeError("SelfAttention must be a subclass of torch.nn.Module")
    layer.to(x.device, x.dtype)
    layer.train(mode == "training")
    own = dict(layer.named_parameters())
    fitting = [name in own and own[name].shape == value.shape for name, value in parameters.items()]
    with torch.no_grad():
        for (name, value), fits in zip(parameters.items(), fitting, strict=True):
            if fits:
                own[name].copy_(value)
    if part == "parameters":
        return torch.tensor([*fitting, len(own.keys() - parameters.keys())], dtype=x.dtype)
    if part == "second output":
        layer(x)
    output = layer(x) if keep is None else layer(x, keep)
    if part == "gradients" and isinstance(output, torch.Tensor):
        if output.requires_grad:
            output.square().sum().backward()
        reached = [fits and own[name].grad is not None for name, fits in zip(parameters, fitting, strict=True)]
        return torch.tensor(reached, dtype=x.dtype)
    if part == "drops" and isinstance(output, torch.Tensor) and output.shape == x.shape:
        return facts_of_dropping(output, x.shape[-2], dropout)
    return output


def facts_of_dropping(output, tokens, dropout):
    """Return whether all columns of a row agree, and whether each is a whole number of weights that are scaled up.

    Every weight is 1 / tokens and every value 1, so a row is the sum of the weights that stay.
    """
    kept = output * (tokens * (1 - dropout))
    return output.new_tensor([abs(kept - kept[:, :1]).max() < 1e-3, abs(kept - kept.round()).max() < 1e-3])
