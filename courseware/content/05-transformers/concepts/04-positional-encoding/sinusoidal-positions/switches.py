"""Known-wrong programs for `sinusoidal_positions`, as one family: each switch is one decision that can go wrong.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def sinusoidal_positions(T, d, base=10000, **switches):
    """Return a table of positions in which the switches that are set differ from the right decision."""
    return steps(T, d, base, **switches)[-1][1]


def steps(
    T,
    d,
    base=10000,
    *,
    exponent="pair",
    power="falls",
    first=0,
    quotient="exact",
    order="sine first",
    layout="side by side",
    uses="base",
):
    """Return each step in words with the table it gives; the last one is the result."""
    base = float(base) if uses == "base" else 10000.0
    exponents = EXPONENTS[exponent](d)  # one for the sines, one for the cosines of each pair
    frequencies = base ** (exponents if power == "grows" else -exponents)
    positions = np.arange(first, T + first)[:, np.newaxis, np.newaxis]
    angles = positions * frequencies
    if quotient == "whole":
        angles = np.floor(angles)
    columns = [np.sin(angles[..., 0]), np.cos(angles[..., 1])]
    if order == "cosine first":
        columns.reverse()
    table = np.stack(columns, axis=-1).reshape(T, d) if layout == "side by side" else np.hstack(columns)
    return [
        ("Work out the exponent of each column, the same one for a sine and its cosine.", exponents.reshape(1, d)),
        ("Raise the base to minus the exponent: the angle by which each column turns per position.",
         frequencies.reshape(1, d)),
        ("Multiply by the position: a row for each position.", angles.reshape(T, d)),
        ("Take sines and cosines, side by side.", table),
    ]  # fmt: skip


def _twice(exponents):
    return np.stack([exponents, exponents], axis=-1)


EXPONENTS = {
    "pair": lambda d: _twice(2.0 * np.arange(d // 2) / d),
    "half": lambda d: _twice(np.arange(d // 2) / d),
    "column": lambda d: (np.arange(d) / d).reshape(-1, 2),
    "next": lambda d: _twice(2.0 * np.arange(1, d // 2 + 1) / d),
    "whole": lambda d: _twice(2.0 * np.arange(d // 2) // d),
}

SWITCHES = {
    "halves": {"layout": "halves"},
    "half-the-exponent": {"exponent": "half"},
    "exponent-of-the-column": {"exponent": "column"},
    "pairs-from-1": {"exponent": "next"},
    "positions-from-1": {"first": 1},
    "sine-and-cosine-exchanged": {"order": "cosine first"},
    "frequencies-grow": {"power": "grows"},
    "whole-exponents": {"exponent": "whole"},
    "whole-angles": {"quotient": "whole"},
    "ignores-base": {"uses": "10000"},
}

# Among these inputs, a number of positions, a width and perhaps a base, the smallest counterexamples are looked for.
LADDER = [(1, 2), (2, 2), (1, 4), (2, 4), (3, 4), (2, 6), (3, 6), (2, 4, 4), (2, 6, 8), (3, 6, 8)]


def steps_of(switches, T, d, base=10000):
    """Return the steps with these switches set; without any, those of the right table."""
    return steps(T, d, base, **switches)


VARIANTS = {name: partial(sinusoidal_positions, **switches) for name, switches in SWITCHES.items()}
