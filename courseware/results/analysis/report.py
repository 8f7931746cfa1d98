"""The analysis of one test: every statistic of every question that it asked, ready to be stored and shown. Pure.

What too few learners cannot support is left out here, so that no page shows it by mistake.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from courseware.results.analysis.classical import Item, Reason, Totals, Value, classical
from courseware.results.analysis.groups import fifths
from courseware.results.analysis.intervals import interval
from courseware.results.analysis.moments import mean
from courseware.results.analysis.picks import Pick, picks
from courseware.results.analysis.pools import PoolItem, pool

ENOUGH = 20  # learners; of fewer, one learner more or less turns a group of 27 % or a fifth around
STEADY = 30  # from here on a correlation's sign can be relied upon
BINS = 10  # of the histogram, each a tenth of the marks
# What is picked is an option, or one of these where a question has none.
RIGHT, PARTLY, OTHER, OPEN = "=right", "=partly", "=other", "=open"

Key = tuple[str, str]  # a question's id and its marking digest: after an edit that changes marks it is another one


@dataclass(frozen=True)
class Answered:
    """One learner and one question that they were asked."""

    fraction: float
    picked: tuple[str, ...]
    variant: str  # the numbers that were drawn, "" where none are

    @property
    def is_open(self) -> bool:
        return self.picked == (OPEN,)


@dataclass(frozen=True)
class Asked:
    """One question as it stood in this test."""

    snapshot: int
    marks: float
    keys: tuple[str, ...]  # what can be picked, in the order of the page
    right: tuple[str, ...]


@dataclass(frozen=True)
class VariantLine:
    """One set of numbers of a family."""

    numbers: str
    count: int
    facility: float


@dataclass(frozen=True)
class ItemLine:
    """One version of one question."""

    question: str
    version: str
    snapshot: int
    marks: float
    seen: int
    omitted: int
    facility: float
    interval: tuple[float, float] | None
    sd: float | None
    item_total: Value | None  # None where draws are random: the total is not the same for two learners
    item_rest: Value
    efficiency: Value | None
    upper_lower: Value
    alpha_without: Value | None
    intended_weight: float | None
    effective_weight: Value | None
    right: tuple[str, ...]
    picks: tuple[Pick, ...]
    variants: tuple[VariantLine, ...]

    @property
    def caution(self) -> str:
        """What a reader must know before the figures."""
        if self.seen <= 2:
            return "too few"
        return "unstable" if self.seen < STEADY else ""


@dataclass(frozen=True)
class Analysis:
    """One test, over the first finished attempts of its learners."""

    learners: int
    out_of: float  # of the totals: the marks of the test, or 1 where they are shares
    is_random: bool
    totals: Totals
    reliability: Value
    sem: float | None
    draws: tuple[float, float] | None  # expected share of the unluckiest and of the luckiest paper
    histogram: tuple[int, ...]
    items: tuple[ItemLine, ...]

    def item(self, question: str, version: str = "") -> ItemLine | None:
        """Return a question; without a version, the one that most learners were asked."""
        found = [item for item in self.items if item.question == question and version in ("", item.version)]
        return max(found, key=lambda item: item.seen, default=None)

    def to_json(self) -> dict[str, Any]:
        return asdict(self, dict_factory=lambda pairs: {n: v.name if isinstance(v, Enum) else v for n, v in pairs})

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> "Analysis":
        return cls(
            **{**body, "totals": Totals(**body["totals"])}
            | {"reliability": _value(body["reliability"]), "histogram": tuple(body["histogram"])}
            | {"draws": _pair(body["draws"]), "items": tuple(map(_line, body["items"]))}
        )


def analyse(papers: Sequence[Mapping[Key, Answered]], asked: Mapping[Key, Asked]) -> Analysis | None:
    """Return the analysis of these papers, None if there is none."""
    if not papers:
        return None
    keys = list(asked)
    maxima = [asked[key].marks for key in keys]
    table = [
        [None if (each := paper.get(key)) is None else each.fraction * asked[key].marks for key in keys]
        for paper in papers
    ]
    scores = [sum(value for value in row if value is not None) for row in table]
    tops = [sum(top for value, top in zip(row, maxima, strict=True) if value is not None) for row in table]
    is_random = any(value is None for row in table for value in row)
    whole = pool(table, maxima) if is_random else None
    complete = None if whole else classical([[value or 0.0 for value in row] for row in table], maxima)
    lines = []
    for at, key in enumerate(keys):
        mine = [(learner, each) for learner, paper in enumerate(papers) if (each := paper.get(key)) is not None]
        rests = [
            (scores[learner] - each.fraction * asked[key].marks) / ((tops[learner] - asked[key].marks) or 1.0)
            for learner, each in mine
        ]
        figures = whole.items[at] if whole else complete.items[at] if complete else None
        assert figures is not None
        lines.append(_item_line(key, asked[key], [each for _, each in mine], rests, figures))
    shares = [score / top for score, top in zip(scores, tops, strict=True)]
    bins = Counter(min(int(round(share * BINS, 9)), BINS - 1) for share in shares)
    found = whole or complete
    assert found is not None
    return Analysis(
        learners=len(papers),
        out_of=1.0 if is_random else sum(maxima),
        is_random=is_random,
        totals=found.totals,
        reliability=whole.reliability if whole else complete.alpha if complete else Value(None),
        sem=found.sem,
        draws=(whole.hardest_draw, whole.easiest_draw) if whole else None,
        histogram=tuple(bins[at] for at in range(BINS)),
        items=tuple(lines),
    )


def _item_line(
    key: Key, asked: Asked, answers: Sequence[Answered], rests: Sequence[float], figures: Item | PoolItem
) -> ItemLine:
    shares = [each.fraction for each in answers]
    is_enough = len(answers) >= ENOUGH
    by_variant: dict[str, list[float]] = {}
    for each in answers:
        if each.variant:
            by_variant.setdefault(each.variant, []).append(each.fraction)
    is_whole = isinstance(figures, Item)
    return ItemLine(
        question=key[0],
        version=key[1],
        snapshot=asked.snapshot,
        marks=asked.marks,
        seen=len(answers),
        omitted=sum(each.is_open for each in answers),
        facility=figures.facility,
        interval=interval(shares),
        sd=figures.sd if isinstance(figures, Item) else None,
        item_total=figures.item_total if isinstance(figures, Item) else None,
        item_rest=figures.item_rest if is_whole or is_enough else Value(None, Reason.NEEDS_MORE),
        efficiency=figures.efficiency if isinstance(figures, Item) else None,
        upper_lower=figures.upper_lower if is_enough else Value(None, Reason.NEEDS_MORE),
        alpha_without=figures.alpha_without if isinstance(figures, Item) else None,
        intended_weight=figures.intended_weight if isinstance(figures, Item) else None,
        effective_weight=figures.effective_weight if isinstance(figures, Item) else None,
        right=asked.right,
        picks=picks(asked.keys, [each.picked for each in answers], rests, fifths(rests) if is_enough else ()),
        variants=tuple(VariantLine(name, len(all_), mean(all_)) for name, all_ in sorted(by_variant.items())),
    )


def _line(body: Mapping[str, Any]) -> ItemLine:
    values = {
        name: _value(body[name])
        for name in (
            "item_total", "item_rest", "efficiency", "upper_lower", "alpha_without", "effective_weight"
        )
    }  # fmt: skip
    return ItemLine(
        **{**body, **values}
        | {"interval": _pair(body["interval"]), "right": tuple(body["right"])}
        | {"picks": tuple(Pick(**{**each, "by_fifth": tuple(each["by_fifth"])}) for each in body["picks"])}
        | {"variants": tuple(VariantLine(**each) for each in body["variants"])}
    )


def _value(body: Mapping[str, Any] | None) -> Any:
    return body and Value(body["number"], Reason[body["reason"]] if body["reason"] else None)


def _pair(body: Sequence[float] | None) -> tuple[float, float] | None:
    return None if body is None else (body[0], body[1])
