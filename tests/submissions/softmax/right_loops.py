# outcome: right
import math

import numpy as np


def softmax(x, axis=-1):
    lines = np.swapaxes(x, axis, -1)
    result = np.empty_like(lines)
    for place in np.ndindex(*lines.shape[:-1]):
        numbers = lines[place].tolist()
        top = max(numbers)
        exponentials = [math.exp(number - top) for number in numbers]
        for position, exponential in enumerate(exponentials):
            result[(*place, position)] = exponential / sum(exponentials)
    return np.swapaxes(result, axis, -1)
