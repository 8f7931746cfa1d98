"""An analysis as its pages show it: figures with their words, the options by name, the pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from courseware.concepts.course import current
from courseware.drawing.bars import bars
from courseware.drawing.safe_html import SafeHtml
from courseware.results.analysis.classical import Value
from courseware.results.analysis.flags import Flag, flags_of, judgement, percent, two
from courseware.results.analysis.groups import FIFTHS
from courseware.results.analysis.picks_shown import PickRow, figure, pick_curves, pick_rows
from courseware.results.analysis.report import BINS, ENOUGH, OPEN, STEADY, Analysis, ItemLine
from quizzes.models import QuestionSnapshot
from quizzes.presenting import Stem, stem
from quizzes.questions import Question
from quizzes.registry import kind_of

# How sure a reader may be, from the number of learners.
_CAUTIONS = {
    "too few": "Too few learners: these figures say nothing yet.",
    "unstable": f"Unstable: with fewer than {STEADY} learners, a few answers more can turn them around.",
}


@dataclass(frozen=True)
class Statistic:
    """One figure by its one name, with what it means or why it is missing."""

    name: str
    figure: str  # "–" where it is not defined
    words: str


@dataclass(frozen=True)
class ItemRow:
    """A question in the table of a test."""

    item: ItemLine
    title: SafeHtml  # the stem's first paragraph
    concept_number: int
    facility: str
    item_rest: str
    upper_lower: str
    flags: tuple[Flag, ...]
    why_none: str  # of the item-rest correlation
    reports: int


@dataclass(frozen=True)
class ShownItem:
    """A question with all that is known of it."""

    item: ItemLine
    title: str
    lede: str
    caution: str
    question: Question
    stem: Stem
    concept_number: int
    statistics: tuple[Statistic, ...]
    flags: tuple[Flag, ...]
    picks: tuple[PickRow, ...]
    curves: SafeHtml | None
    fifth_size: str
    before: ItemLine | None
    after: ItemLine | None


def whole_statistics(analysis: Analysis) -> tuple[Statistic, ...]:
    """Return what there is to say about the test as a whole."""
    totals, unit = analysis.totals, "of the marks" if analysis.is_random else f"of {analysis.out_of:g} marks"
    number = percent if analysis.is_random else lambda value: f"{value:.1f}"
    reliability = analysis.reliability
    name = "Reliability (random draw)" if analysis.is_random else "Reliability (alpha)"
    if reliability.number is None:
        words = f"Not defined: {reliability.reason.value if reliability.reason else 'too few answers'}."
    elif reliability.number < 0:
        words = "Below 0: the questions do not measure one thing."
    else:
        words = "How far another set of questions would agree" + (
            "; luck of the draw counts as error." if analysis.is_random else ", for right and wrong alone KR-20."
        )
    found = [
        Statistic("Mean", number(totals.mean), f"{unit}; median {number(totals.median)}"),
        Statistic("Spread", "–" if totals.sd is None else number(totals.sd), "standard deviation"),
        Statistic(name, figure(reliability), words),
        Statistic(
            "Standard error",
            "–" if analysis.sem is None else number(analysis.sem),
            "of measurement: two learners who differ by less may be equally good",
        ),
    ]
    if totals.skewness is not None:
        lean = f"skewness; kurtosis {figure(totals.kurtosis)}"
        found.append(Statistic("Lean", two(totals.skewness), lean))
    if analysis.draws is not None:
        easy, hard = percent(analysis.draws[1]), percent(analysis.draws[0])
        found.append(
            Statistic("Luck of the draw", f"{hard} to {easy}", "mean facility of the hardest and easiest paper")
        )
    return tuple(found)


def histogram(analysis: Analysis) -> SafeHtml:
    """Return the picture of how many learners earned which share of the marks."""
    names = [f"{100 * at // BINS}–{100 * (at + 1) // BINS}" for at in range(BINS)]
    top = max(range(BINS), key=lambda at: analysis.histogram[at])
    return bars(
        analysis.histogram,
        names,
        key="totals",
        title="Learners by per cent of the marks",
        finding=f"Most learners, {analysis.histogram[top]}, earned {names[top]} per cent.",
        heads=("Per cent of the marks", "Learners"),
    )


def item_rows(analysis: Analysis, reports: Mapping[str, int]) -> tuple[ItemRow, ...]:
    """Return every question, those to look at first."""
    snapshots = QuestionSnapshot.objects.in_bulk([item.snapshot for item in analysis.items])
    rows = [_row(item, snapshots[item.snapshot].question(), reports) for item in analysis.items]
    return tuple(sorted(rows, key=lambda row: (not row.flags, -len(row.flags))))


def shown_item(analysis: Analysis, item: ItemLine) -> ShownItem:
    """Return one question with its pictures."""
    question = QuestionSnapshot.objects.get(pk=item.snapshot).question()
    rows = pick_rows(item, question)
    at = analysis.items.index(item)
    return ShownItem(
        item=item,
        title=judgement(item),
        lede=_lede(item, rows),
        caution=_CAUTIONS.get(item.caution, ""),
        question=question,
        stem=_example(question),
        concept_number=_concept_number(question),
        statistics=_statistics(item),
        flags=flags_of(item),
        picks=rows,
        curves=pick_curves(rows),
        fifth_size=f"{item.seen / FIFTHS:g}",
        before=analysis.items[at - 1] if at else None,
        after=analysis.items[at + 1] if at + 1 < len(analysis.items) else None,
    )


def _row(item: ItemLine, question: Question, reports: Mapping[str, int]) -> ItemRow:
    reason = item.item_rest.reason
    return ItemRow(
        item=item,
        title=SafeHtml(_example(question).heading),
        concept_number=_concept_number(question),
        facility=percent(item.facility),
        item_rest=figure(item.item_rest),
        upper_lower=figure(item.upper_lower),
        flags=flags_of(item),
        why_none=reason.value if reason else "",
        reports=reports.get(item.question, 0),
    )


def _example(question: Question) -> Stem:
    """Return the stem with the numbers that some learner has."""
    return stem(question, kind_of(question.kind).draw(question.task, seed="analysis", question_id=question.id))


def _concept_number(question: Question) -> int:
    concept = current().concept(question.concept_id)
    return concept.number if concept else 0


def _statistics(item: ItemLine) -> tuple[Statistic, ...]:
    interval = item.interval
    within = f"95 % interval {percent(interval[0])} to {percent(interval[1])}" if interval else "no interval: needs two"
    seen = f"{item.seen} learner{'s' * (item.seen != 1)}"
    found = [
        Statistic("Facility", percent(item.facility), f"{seen}; {within}".replace(" %", "\u00a0%")),
        Statistic("Item-rest correlation", figure(item.item_rest), _reason(item.item_rest, _rest_words(item))),
        Statistic(
            "Upper/lower 27 %",
            figure(item.upper_lower),
            _reason(item.upper_lower, "what the strongest earn more than the weakest")
            + (f" (needs {ENOUGH})" if item.seen < ENOUGH else ""),
        ),
    ]
    more: Sequence[tuple[str, Value | None, str]] = (
        ("Item-total correlation", item.item_total, "with a total that holds the question itself"),
        ("Efficiency", item.efficiency, "of the largest correlation that these marks allow"),
        ("Alpha without it", item.alpha_without, "reliability of the test if it were dropped"),
    )
    found += [Statistic(name, figure(value), _reason(value, words)) for name, value, words in more if value is not None]
    if item.effective_weight is not None and item.intended_weight is not None:
        weight = item.effective_weight.number
        words = _reason(item.effective_weight, f"of the spread of totals; {item.intended_weight:.0f}\u00a0% intended")
        found.append(Statistic("Effective weight", "–" if weight is None else f"{weight:.0f} %", words))
    if item.omitted:
        found.append(Statistic("Left open", str(item.omitted), "counted as 0"))
    return tuple(found)


def _rest_words(item: ItemLine) -> str:
    return "with the share earned of the other questions" if item.item_total is None else "with the other questions"


def _reason(value: Value, words: str) -> str:
    return words if value.reason is None else f"not defined: {value.reason.value}"


def _lede(item: ItemLine, rows: Sequence[PickRow]) -> str:
    flags = flags_of(item)
    if flags:
        return " ".join(flag.reason for flag in flags)
    lures = [row for row in rows if not row.is_right and row.pick.key != OPEN and row.pick.count]
    words = f"{percent(item.facility)} of its marks were earned."
    if not lures:
        return words
    most = max(lures, key=lambda row: row.pick.count)
    idea = f", which goes with “{most.idea}”" if most.idea else ""
    what = (
        f"option {most.letter}" if most.letter else str(most.said).lower() if most.pick.key[0] == "=" else "one value"
    )
    return f"{words} What lures most is {what}{idea}: {most.share}."
