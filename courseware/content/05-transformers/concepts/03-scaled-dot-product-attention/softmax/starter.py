import numpy as np


def softmax(x, axis=-1):
    """Return an array of the shape of x whose numbers are positive and add up to 1 along the axis."""
    raise NotImplementedError("write softmax here")
