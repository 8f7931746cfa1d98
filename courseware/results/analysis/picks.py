"""Who picks what: how often, how it goes with the score on the other questions, and how it changes from the weakest
fifth to the strongest. Pure.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from courseware.results.analysis.groups import Weights, weighted_mean
from courseware.results.analysis.moments import correlation, mean


@dataclass(frozen=True)
class Pick:
    """One thing that could be picked or answered."""

    key: str
    count: int
    share: float
    with_rest: float | None  # correlation; None where everybody or nobody picked it
    mean_rest: float | None  # of those who picked it
    by_fifth: tuple[float, ...]  # share of each fifth, the weakest first; empty where there are too few learners


def picks(
    keys: Sequence[str], picked: Sequence[Collection[str]], rests: Sequence[float], fifths: Sequence[Weights]
) -> tuple[Pick, ...]:
    """Return a line for each key, in the order given; `rests` are the scores that picks are compared with."""
    largest = max(map(abs, rests), default=0.0) or 1.0
    lines = []
    for key in keys:
        did = [float(key in each) for each in picked]
        count = int(sum(did))
        lines.append(
            Pick(
                key=key,
                count=count,
                share=count / len(did),
                with_rest=correlation(did, rests, scales=(1, largest)),
                mean_rest=mean([rest for has, rest in zip(did, rests, strict=True) if has]) if count else None,
                by_fifth=tuple(weighted_mean(did, weights) for weights in fifths),
            )
        )
    return tuple(lines)
