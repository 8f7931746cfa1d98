"""Stands between a call and `SelfAttention`: builds the learner's layer, gives it the parameters by name and calls it.

`part` says what the call is after: the output, that of a second call, since a layer could remember the first, which of
the parameters the layer has, or which of them a gradient reaches. The correct and known-wrong programs of the course are functions, which are called as they are.
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
    return output
