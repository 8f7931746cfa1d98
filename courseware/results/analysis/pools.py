"""Item statistics where each learner drew questions of their own: what was not drawn is missing, never a zero. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from courseware.results.analysis import groups
from courseware.results.analysis.classical import Reason, Totals, Value, sem_of, totals_of
from courseware.results.analysis.moments import correlation, mean, variance

Drawn = Sequence[Sequence[float | None]]  # a row for each learner; None where the question was not drawn


@dataclass(frozen=True)
class PoolItem:
    """One question, over the learners who drew it."""

    seen: int
    facility: float
    item_rest: Value  # with the share that the learner earned of the other questions
    upper_lower: Value


@dataclass(frozen=True)
class Pool:
    totals: Totals  # of shares from 0 to 1
    reliability: Value  # for a random draw: the luck of the draw counts as error
    sem: float | None  # of a share
    hardest_draw: float  # mean facility of the questions of the unluckiest paper
    easiest_draw: float
    items: tuple[PoolItem, ...]


def pool(drawn: Drawn, maxima: Sequence[float]) -> Pool:
    """Return every statistic of a test with random draws; each learner drew something, each question was drawn."""
    scores = [sum(value for value in row if value is not None) for row in drawn]
    tops = [sum(top for value, top in zip(row, maxima, strict=True) if value is not None) for row in drawn]
    shares = [score / top for score, top in zip(scores, tops, strict=True)]
    totals = totals_of(shares, scale=1)
    reliability = nested_reliability(
        [[value / top for value, top in zip(row, maxima, strict=True) if value is not None] for row in drawn]
    )
    items = []
    for at, top in enumerate(maxima):
        seen = [learner for learner, row in enumerate(drawn) if row[at] is not None]
        column = [value for row in drawn if (value := row[at]) is not None]
        rests = [
            (value, (scores[learner] - value) / (tops[learner] - top))
            for learner, value in zip(seen, column, strict=True)
            if tops[learner] > top
        ]
        items.append(
            PoolItem(
                seen=len(seen),
                facility=mean(column) / top,
                item_rest=_item_rest(rests, top),
                upper_lower=_upper_lower(column, [shares[learner] for learner in seen], top),
            )
        )
    draws = [
        mean([item.facility for item, value in zip(items, row, strict=True) if value is not None]) for row in drawn
    ]
    return Pool(totals, reliability, sem_of(totals.sd, reliability), min(draws), max(draws), tuple(items))


@dataclass(frozen=True)
class MeanSquares:
    """What differs between learners, and what within one."""

    between: float
    within: float
    effective: float  # how many questions a learner has, as the analysis of variance counts unequal numbers


def mean_squares(shares: Sequence[Sequence[float]]) -> MeanSquares | None:
    """Return the analysis of variance of questions nested in learners; None where there is nothing to compare."""
    people, answers = len(shares), sum(map(len, shares))
    if people < 2 or answers <= people:
        return None
    grand = sum(map(sum, shares)) / answers
    own = [mean(row) for row in shares]
    between = sum(len(row) * (middle - grand) ** 2 for row, middle in zip(shares, own, strict=True)) / (people - 1)
    within = sum((share - middle) ** 2 for row, middle in zip(shares, own, strict=True) for share in row)
    effective = (answers - sum(len(row) ** 2 for row in shares) / answers) / (people - 1)
    return MeanSquares(between, within / (answers - people), effective)


def nested_reliability(shares: Sequence[Sequence[float]]) -> Value:
    """Return how far the shares of two random draws would agree, each learner's own questions nested in the learner.

    Source:  Shrout & Fleiss 1979, Psychol. Bull. 86, 420-428: ICC(1,k); where numbers differ, by variance components
    """
    if len(shares) < 2:
        return Value(None, Reason.NEEDS_TWO)
    found = mean_squares(shares)
    if found is None:
        return Value(None, Reason.ONE_QUESTION)
    people = max(0.0, (found.between - found.within) / found.effective)
    whole = people + found.within * len(shares) / sum(map(len, shares))
    return Value(people / whole) if whole else Value(None, Reason.CONSTANT_TOTAL)


def _item_rest(rests: Sequence[tuple[float, float]], top: float) -> Value:
    if len(rests) < 2:
        return Value(None, Reason.NEEDS_TWO)
    own, others = [value for value, _ in rests], [rest for _, rest in rests]
    if not variance(own, scale=top):
        return Value(None, Reason.CONSTANT_ITEM)
    found = correlation(own, others, scales=(top, 1))
    return Value(found, None if found is not None else Reason.CONSTANT_REST)


def _upper_lower(column: Sequence[float], shares: Sequence[float], top: float) -> Value:
    ends = groups.ends(shares, scale=1)
    if ends is None:
        return Value(None, Reason.NEEDS_TWO if len(column) < 2 else Reason.CONSTANT_TOTAL)
    lower, upper = (groups.weighted_mean(column, weights) for weights in ends)
    return Value((upper - lower) / top)
