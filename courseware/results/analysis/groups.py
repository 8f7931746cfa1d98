"""Groups of learners by score: the weak and the strong, and fifths. Pure.

Whoever has the same score is in a group to the same part, so a group has exactly its size and the order of the rows
decides nothing.
"""

from collections.abc import Sequence
from itertools import groupby
from math import floor

from courseware.results.analysis.moments import variance

FIFTHS = 5
SHARE = 0.27  # of each end, where the groups differ most reliably; Kelley 1939, J. educ. Psychol. 30, 17-24
_PLACES = 9  # scores that differ beyond these are equal on paper

Weights = list[tuple[int, float]]  # each learner of a group by place in the table, and to which part they belong to it


def memberships(scores: Sequence[float], bounds: Sequence[float]) -> list[Weights]:
    """Return the weights of the groups between neighbouring bounds, which count learners from the lowest score on."""
    groups: list[Weights] = [[] for _ in bounds[1:]]
    rounded = [round(score, _PLACES) for score in scores]
    begin = 0
    for _, tied in groupby(sorted(range(len(scores)), key=rounded.__getitem__), key=rounded.__getitem__):
        block = list(tied)
        end = begin + len(block)
        for weights, lower, upper in zip(groups, bounds, bounds[1:], strict=False):
            shared = min(end, upper) - max(begin, lower)
            if shared > 0:
                weights += [(learner, shared / len(block)) for learner in block]
        begin = end
    return groups


def fifths(scores: Sequence[float]) -> list[Weights]:
    """Return five groups of one size, the lowest scores first."""
    return memberships(scores, [len(scores) * bound / FIFTHS for bound in range(FIFTHS + 1)])


def end_size(learners: int) -> int:
    """Return how many are in the upper group, and in the lower."""
    return max(1, floor(SHARE * learners + 0.5))


def ends(scores: Sequence[float], *, scale: float) -> tuple[Weights, Weights] | None:
    """Return the weights of the lower and of the upper 27 %; None where all scores are equal or there is only one."""
    if not variance(scores, scale=scale):
        return None
    n, size = len(scores), end_size(len(scores))
    (lower,), (upper,) = memberships(scores, [0, size]), memberships(scores, [n - size, n])
    return lower, upper


def weighted_mean(values: Sequence[float], weights: Weights) -> float:
    return sum([values[learner] * weight for learner, weight in weights]) / sum([weight for _, weight in weights])
