"""Item statistics where everybody answered the same questions, and those of the totals. Pure.

Each statistic is defined once here and has one name on every page: `item_rest` and `upper_lower` are never both called
discrimination.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import sqrt
from operator import mul

from courseware.results.analysis import groups
from courseware.results.analysis.moments import (
    NOISE,
    covariance,
    deviations,
    kurtosis,
    mean,
    median,
    skewness,
    variance,
)

Table = Sequence[Sequence[float]]  # a row for each learner, a column for each question


class Reason(Enum):
    """Why a statistic is not defined, as the page says it."""

    NEEDS_TWO = "one learner has no spread"
    CONSTANT_ITEM = "everybody earned the same here"
    CONSTANT_REST = "everybody earned the same on the other questions"
    CONSTANT_TOTAL = "everybody has the same total"
    NEGATIVE = "it takes spread away from the total"
    ONE_QUESTION = "one question has no others to go by"
    NEEDS_MORE = "too few learners"


@dataclass(frozen=True)
class Value:
    """A statistic, or why there is none."""

    number: float | None
    reason: Reason | None = None


@dataclass(frozen=True)
class Totals:
    """The scores of a whole test."""

    mean: float
    median: float
    sd: float | None
    skewness: float | None
    kurtosis: float | None


@dataclass(frozen=True)
class Item:
    """One question among others that everybody answered."""

    facility: float
    sd: float | None
    item_total: Value
    item_rest: Value
    efficiency: Value
    upper_lower: Value
    alpha_without: Value
    intended_weight: float  # percent
    effective_weight: Value  # percent


@dataclass(frozen=True)
class Classical:
    totals: Totals
    alpha: Value
    sem: float | None  # of a total, in marks
    items: tuple[Item, ...]


def totals_of(scores: Sequence[float], *, scale: float) -> Totals:
    spread = variance(scores, scale=scale)
    return Totals(
        mean=mean(scores),
        median=median(scores),
        sd=None if spread is None else sqrt(spread),
        skewness=skewness(scores, scale=scale),
        kurtosis=kurtosis(scores, scale=scale),
    )


def alpha(variances: Sequence[float], total_variance: float) -> float:
    """Return coefficient alpha, which for right and wrong alone is KR-20; below 0 it stays below 0.

    Source:  Cronbach 1951, Psychometrika 16, 297-334
    """
    k = len(variances)
    return k / (k - 1) * (1 - sum(variances) / total_variance)


def kr21(scores: Sequence[float], questions: int) -> float | None:
    """Return what alpha would be if all questions of a test of right and wrong were equally hard.

    Source:  Kuder & Richardson 1937, Psychometrika 2, 151-160; with the variance that divides by n, as there
    """
    n, spread = len(scores), variance(scores, scale=questions)
    if questions < 2 or not spread:
        return None
    middle = mean(scores)
    return questions / (questions - 1) * (1 - middle * (questions - middle) / (questions * spread * (n - 1) / n))


def sem_of(sd: float | None, reliability: Value) -> float | None:
    """Return the standard error of measurement; it exceeds the spread where the reliability is below 0."""
    return None if sd is None or reliability.number is None else sd * sqrt(1 - reliability.number)


def classical(table: Table, maxima: Sequence[float]) -> Classical:
    """Return every statistic of a test that all learners took with the same questions.

    Errors:  ZeroDivisionError without a learner
    """
    scores, scale = [sum(row) for row in table], sum(maxima)
    totals = totals_of(scores, scale=scale)
    total_variance = variance(scores, scale=scale)
    columns = list(zip(*table, strict=True))
    variances = [variance(column, scale=top) for column, top in zip(columns, maxima, strict=True)]
    off = deviations(scores)
    shared = [
        _settled(covariance(deviations(column), off), scale=top * scale)
        for column, top in zip(columns, maxima, strict=True)
    ]
    test = _Test(scores, scale, total_variance, variances, shared, groups.ends(scores, scale=scale))
    reliability = test.alpha()
    return Classical(
        totals=totals,
        alpha=reliability,
        sem=sem_of(totals.sd, reliability),
        items=tuple(test.item(at, column, top) for at, (column, top) in enumerate(zip(columns, maxima, strict=True))),
    )


@dataclass(frozen=True)
class _Test:
    """What every item is compared with; of all variances and covariances each is worked out once."""

    scores: Sequence[float]
    scale: float
    variance: float | None  # None for a single learner
    variances: Sequence[float | None]
    shared: Sequence[float | None]  # of each item with the total
    ends: tuple[groups.Weights, groups.Weights] | None

    def alpha(self, without: int | None = None) -> Value:
        kept = [spread for at, spread in enumerate(self.variances) if spread is not None and at != without]
        total = self.variance if without is None else self._rest(without)
        if total is None:
            return Value(None, Reason.NEEDS_TWO)
        if len(kept) < 2:
            return Value(None, Reason.ONE_QUESTION)
        return Value(alpha(kept, total)) if total else Value(None, Reason.CONSTANT_TOTAL)

    def _rest(self, at: int) -> float | None:
        """Return the variance of the total less one item."""
        own, shared = self.variances[at], self.shared[at]
        if self.variance is None or own is None or shared is None:
            return None
        found = self.variance + own - 2 * shared
        return found if found > NOISE * self.scale**2 else 0.0

    def item(self, at: int, column: Sequence[float], top: float) -> Item:
        own, shared = self.variances[at], self.shared[at]
        return Item(
            facility=mean(column) / top,
            sd=None if own is None else sqrt(own),
            item_total=_correlation(shared, own, self.variance, Reason.CONSTANT_TOTAL),
            item_rest=_correlation(
                None if shared is None or own is None else shared - own, own, self._rest(at), Reason.CONSTANT_REST
            ),
            efficiency=self._efficiency(at, column),
            upper_lower=self._upper_lower(column, top),
            alpha_without=self.alpha(without=at),
            intended_weight=100 * top / self.scale,
            effective_weight=self._effective_weight(shared),
        )

    def _efficiency(self, at: int, column: Sequence[float]) -> Value:
        """Return the covariance with the rest as a share of the largest that these scores allow."""
        own, rest = self.variances[at], self._rest(at)
        if own is None or rest is None:
            return Value(None, Reason.NEEDS_TWO)
        if not own or not rest:
            return Value(None, Reason.CONSTANT_ITEM if not own else Reason.CONSTANT_REST)
        others = deviations([score - value for score, value in zip(self.scores, column, strict=True)])
        mine = deviations(column)
        return Value(sum(map(mul, mine, others)) / sum(map(mul, sorted(mine), sorted(others))))

    def _upper_lower(self, column: Sequence[float], top: float) -> Value:
        if self.ends is None:
            return Value(None, Reason.NEEDS_TWO if self.variance is None else Reason.CONSTANT_TOTAL)
        lower, upper = (groups.weighted_mean(column, weights) for weights in self.ends)
        return Value((upper - lower) / top)

    def _effective_weight(self, shared: float | None) -> Value:
        if shared is None:
            return Value(None, Reason.NEEDS_TWO)
        if shared < 0:
            return Value(None, Reason.NEGATIVE)
        whole = sum(sqrt(max(each, 0.0)) for each in self.shared if each is not None)
        return Value(100 * sqrt(shared) / whole) if whole else Value(None, Reason.CONSTANT_TOTAL)


def _settled(shared: float | None, *, scale: float) -> float | None:
    return 0.0 if shared is not None and abs(shared) <= NOISE * scale else shared


def _correlation(shared: float | None, own: float | None, other: float | None, constant: Reason) -> Value:
    if shared is None or own is None or other is None:
        return Value(None, Reason.NEEDS_TWO)
    if not own:
        return Value(None, Reason.CONSTANT_ITEM)
    return Value(shared / sqrt(own * other)) if other else Value(None, constant)
