# outcome: right
# why: a dataclass with a cached table of frequencies, and a property; keyword arguments all the way
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np


@dataclass(frozen=True)
class Table:
    width: int
    base: float

    @cached_property
    def frequencies(self):
        return np.float64(self.base) ** -np.linspace(0, 1, self.width // 2, endpoint=False)

    def row(self, place):
        return np.array([f(place * w) for w in self.frequencies for f in (np.sin, np.cos)])


@lru_cache(maxsize=None)
def table_of(width, base):
    return Table(width=width, base=base)


def sinusoidal_positions(T, d, base=10000):
    return np.stack([table_of(d, base).row(place) for place in range(T)], axis=0)
