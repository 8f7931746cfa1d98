"""Who picked what, as the page of one question shows it: a row for each option or known value, and their curves."""

from collections.abc import Sequence
from dataclasses import dataclass

from courseware.concepts.course import current
from courseware.concepts.markup import render_inline
from courseware.drawing.curves import STYLES, Curve, curves, marker
from courseware.drawing.safe_html import SafeHtml
from courseware.results.analysis.classical import Value
from courseware.results.analysis.flags import percent, two
from courseware.results.analysis.picks import Pick
from courseware.results.analysis.report import OPEN, OTHER, PARTLY, RIGHT, ItemLine
from quizzes.choices import ChoiceTask, Option
from quizzes.programs import span
from quizzes.questions import Question

_WORDS = {RIGHT: "Right", PARTLY: "Partly right", OTHER: "Another answer", OPEN: "No answer"}


@dataclass(frozen=True)
class PickRow:
    """What could be picked, and who did."""

    style: int | None  # of its curve; None for what has none
    letter: str
    said: SafeHtml
    is_right: bool
    idea: str  # the misconception behind it, or nothing
    pick: Pick
    share: str
    fifths: tuple[str, ...]
    with_rest: str

    @property
    def marker(self) -> SafeHtml:
        return SafeHtml("") if self.style is None else marker(self.style)


def figure(value: Value | float | None) -> str:
    """Return a statistic with two decimals, a dash where there is none."""
    number = value.number if isinstance(value, Value) else value
    return "–" if number is None else two(number)


def pick_rows(item: ItemLine, question: Question) -> tuple[PickRow, ...]:
    """Return everything that was picked for a question, in the order of its options."""
    options = {option.id: option for option in question.task.options} if isinstance(question.task, ChoiceTask) else {}
    # More than six curves cannot be told apart: what is right has the first style, then what is picked most.
    wrong = sorted((pick for pick in item.picks if pick.key not in (*item.right, OPEN)), key=lambda each: -each.count)
    styles = {pick.key: style for style, pick in enumerate(wrong[: STYLES - 1], start=1)} | dict.fromkeys(item.right, 0)
    rows = []
    for place, pick in enumerate(item.picks):
        option = options.get(pick.key)
        idea = current().label(option.cause.id) if option and option.cause else ""
        if option is None and pick.key[0] != "=":
            idea = current().label(pick.key)
        rows.append(
            PickRow(
                style=styles.get(pick.key),
                letter=chr(ord("A") + place) if option else "",
                said=_said(question, option, pick.key),
                is_right=pick.key in item.right,
                idea=idea,
                pick=pick,
                share=percent(pick.share),
                fifths=tuple(percent(share) for share in (pick.by_fifth[0], pick.by_fifth[2], pick.by_fifth[4]))
                if pick.by_fifth
                else (),
                with_rest="" if pick.key == OPEN else figure(pick.with_rest),
            )
        )
    return tuple(rows)


def _said(question: Question, option: Option | None, key: str) -> SafeHtml:
    if option is None:
        return SafeHtml(_WORDS.get(key, "A recognised answer"))
    return SafeHtml(render_inline(span(option.text) if question.kind.startswith("code") else option.text))


def pick_curves(rows: Sequence[PickRow]) -> SafeHtml | None:
    """Return how picks change from weak learners to strong ones; None where too few answered to say."""
    drawn = [row for row in rows if row.pick.by_fifth and row.style is not None]
    if not drawn:
        return None
    lines = [Curve(_curve_name(row), row.style or 0, row.pick.by_fifth) for row in drawn]
    best = min(lines, key=lambda line: line.style)
    return curves(
        lines,
        key="curves",
        title="Who picks what, by fifth of the score on the other questions",
        finding=f"{best.name} goes from {percent(best.shares[0])} in the lowest fifth to {percent(best.shares[-1])} "
        "in the highest.",
        ends=("lowest fifth", "highest fifth"),
    )


def _curve_name(row: PickRow) -> str:
    name = row.letter or (_WORDS.get(row.pick.key) or row.idea)
    shortened = name if len(name) <= 22 else name[:21].rstrip() + "…"
    return f"{shortened}, the answer" if row.is_right and row.letter else shortened
