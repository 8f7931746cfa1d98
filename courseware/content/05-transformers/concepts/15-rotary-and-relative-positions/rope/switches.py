"""Known-wrong programs for `rope`, as one family: each switch is one decision that can be taken wrongly.

The ids of VARIANTS, what each shows and which check must catch it stand in `exercise.yaml`.
"""

from functools import partial

import numpy as np


def rope(x, positions, base=10000.0, **switches):
    """Return the turned tokens in which the switches that are set differ from the right decision."""
    return steps(x, positions, base, **switches)[-1][1]


def steps(
    x,
    positions,
    base=10000.0,
    *,
    pairs="neighbours",
    angles_of="neighbours",
    turn="forward",
    exponent="2i / width",
    begins="given",
    bases="given",
    joins="turned",
):
    """Return each step in words with the matrix it gives; the last one is the result."""
    width = x.shape[-1]
    number = np.arange(width // 2)
    power = {"2i / width": 2 * number / width, "i / width": number / width, "none": 0.0 * number}[exponent]
    base = {"given": base, "a zero too few": base / 10, "always 10000": 10000.0}[bases]
    place = {"given": positions, "one more": positions + 1.0, "counted": np.arange(len(positions)) * 1.0}[begins]
    angles = place[:, np.newaxis] * base**-power
    columns = np.repeat(angles, 2, axis=-1) if angles_of == "neighbours" else np.concatenate([angles, angles], axis=-1)
    if pairs == "neighbours":
        across = np.stack([-x[..., 1::2], x[..., 0::2]], axis=-1).reshape(x.shape)
    else:
        across = np.concatenate([-x[..., width // 2 :], x[..., : width // 2]], axis=-1)
    along, aside = np.cos(columns), np.sin(columns)
    if turn == "exchanged":
        along, aside = aside, along
    if turn == "reflected":
        mirror = np.where(np.arange(width) % 2, -1.0, 1.0)
        turned = mirror * x * along + mirror * across * -aside
    else:
        turned = x * along + across * (-aside if turn == "backward" else aside)
    waves = np.where(np.arange(width) % 2, np.cos(columns), np.sin(columns))
    return [
        ("Take the angle of each pair: the position times base to the power of -2i / width.", angles),
        ("Take its cosine for both columns of a pair.", along),
        ("Take its sine for both columns of a pair.", aside),
        ("Turn every pair by its angle.", x + waves if joins == "added" else turned),
    ]


SWITCHES = {
    "half-split": {"pairs": "halves", "angles_of": "halves"},
    "sign-flipped": {"turn": "backward"},
    "reflection": {"turn": "reflected"},
    "cos-and-sin-exchanged": {"turn": "exchanged"},
    "other-base": {"bases": "a zero too few"},
    "ignores-base": {"bases": "always 10000"},
    "exponent-i": {"exponent": "i / width"},
    "one-frequency": {"exponent": "none"},
    "starts-at-1": {"begins": "one more"},
    "ignores-positions": {"begins": "counted"},
    "halves-with-neighbours-angles": {"pairs": "halves"},
    "neighbours-with-halves-angles": {"angles_of": "halves"},
    "added": {"joins": "added"},
}

# Among inputs of these shapes the smallest counterexamples are looked for.
LADDER = [((1, width), (1,), *base) for width in (2, 4) for base in ((), (2.0,))]


def steps_of(switches, x, positions, base=10000.0):
    """Return the steps with these switches set; without any, those of the right turn."""
    return steps(x, positions, base, **switches)


VARIANTS = {name: partial(rope, **switches) for name, switches in SWITCHES.items()}
