"""A verdict as a page shows it: the diagnosis first, then what set it off, then everything that was measured.

Reads rows, the course's misconceptions and nothing else; decides nothing. All texts from a judge or a learner are
plain and are escaped by the templates.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from courseware.concepts.course import Place, current
from courseware.concepts.misconceptions import Misconception
from grader import words
from grader.cost_pictures import CostPictures, cost_pictures
from grader.models import CheckResult, Submission
from grader.pictures import WeightPictures, weight_pictures
from grader.signs import Sign, sign_of
from grader.verdicts import Outcome, Owner


@dataclass(frozen=True)
class Belief:
    """The misconception behind a program, and the place in the course that sets it right, if there is one."""

    misconception: Misconception
    place: Place | None


@dataclass(frozen=True)
class MatrixView:
    name: str
    rows: list[list[str]]


BESIDE_COLUMNS = 3  # of numbers with three decimals; two such matrices and a sentence fill half a page


@dataclass(frozen=True)
class StepView:
    number: int
    label: str
    reference: list[list[str]]
    theirs: list[list[str]]
    parts_here: bool


@dataclass(frozen=True)
class Explanation:
    """Everything that a finished submission's page says about its verdict."""

    sign: Sign
    turn: str  # who must act
    finished_at: datetime | None
    took: str
    headline: str  # the diagnosis where there is one
    sentence: str  # the verdict in one sentence, where the headline and the tally do not say it
    detail: str
    evidence: str
    beliefs: tuple[Belief, ...]
    marks: str  # "4 of 10", or "" where none are given
    tally: str  # "5 of 8 checks hold"
    failing: tuple[CheckResult, ...]
    unreached: tuple[CheckResult, ...]
    examples: tuple[CheckResult, ...]  # those that fail beside the checks of a submit
    holding: tuple[CheckResult, ...]
    holding_words: str
    error_line: int | None
    error_text: str
    repeats: str  # that the code was judged before, where it was
    remarks: tuple[str, ...]
    output: str
    output_cut: bool
    weights: WeightPictures | None
    cost: CostPictures | None
    given: tuple[MatrixView, ...]
    steps: tuple[StepView, ...]
    smallest: str  # the sentence above a counterexample
    reason: str  # for staff
    opens: datetime | None  # when the diagnosis and what belongs to it can be read; None where it is here

    @property
    def has_wide_steps(self) -> bool:
        """Whether some matrix is too wide to stand beside another one and the words of its step."""
        return any(len(step.reference[0]) > BESIDE_COLUMNS for step in self.steps)


def explain(submission: Submission, results: Sequence[CheckResult], *, opens: datetime | None = None) -> Explanation:
    """Return what the page of a finished submission says, without what only opens later."""
    evidence = submission.evidence
    outcome = Outcome(submission.verdict)
    shown = {} if opens else evidence
    diagnosis = shown.get("diagnosis") or {}
    error = evidence.get("error") or {}
    counterexample = shown.get("counterexample") or {}
    # A run is about the examples; a submit is about its checks, and the examples are only a sideline.
    judged = [result for result in results if result.is_example == submission.is_run]
    failing = tuple(result for result in judged if result.fails)
    holding = tuple(result for result in judged if result.holds)
    tally = _tally(judged, len(holding))
    sentence = evidence.get("sentence", "")
    headline, sentence = _headline(outcome, sentence, diagnosis.get("sentence", ""), error.get("type", ""))
    return Explanation(
        sign=sign_of(submission),
        turn=_turn(outcome),
        finished_at=submission.finished_at,
        took=_took(submission),
        headline=headline,
        sentence="" if sentence == f"{tally}." else sentence,
        detail=diagnosis.get("detail", ""),
        evidence=diagnosis.get("evidence", ""),
        beliefs=() if opens else tuple(_beliefs(submission.misconception_ids)),
        marks=_marks(submission),
        tally=_heading(submission, tally, headline),
        failing=failing,
        unreached=tuple(result for result in judged if not result.fails and not result.holds),
        examples=tuple(result for result in results if result not in judged and not result.holds),
        holding=holding,
        holding_words=_holding_words(len(holding), has_others=len(holding) < len(judged)),
        error_line=error.get("line"),
        error_text=f"{error['type']}: {error['message']}" if error else "",
        repeats=_repeats(submission),
        remarks=tuple(evidence.get("remarks", ())),
        output=evidence.get("output", ""),
        output_cut=evidence.get("output_cut", False),
        weights=weight_pictures(shown.get("weights")),
        cost=cost_pictures(evidence.get("cost")),
        given=tuple(MatrixView(each["name"], words.rows(each["values"])) for each in counterexample.get("given", ())),
        steps=tuple(_steps(counterexample.get("steps", ()))),
        smallest=counterexample.get("sentence", ""),
        reason=evidence.get("reason", ""),
        opens=opens,
    )


def _headline(outcome: Outcome, sentence: str, diagnosis: str, error_type: str) -> tuple[str, str]:
    """Return what comes first, and what is left to say: whose rule it is, or where and why it stopped."""
    if outcome in (Outcome.WRONG, Outcome.FRAGILE) and diagnosis:
        return diagnosis, sentence
    where, is_split, _ = sentence.partition(f": {error_type}")
    if error_type and is_split:  # what Python said is shown by itself
        return f"{where}.", ""
    first, is_split, rest = sentence.partition(". ")
    return (f"{first}.", rest) if is_split else (sentence, "")


def _turn(outcome: Outcome) -> str:
    if outcome is Outcome.RIGHT:
        return ""
    return "yours to fix" if outcome.owner is Owner.LEARNER else "ours to mend"


def _beliefs(misconception_ids: Iterable[str]) -> Iterable[Belief]:
    course = current()
    for misconception_id in misconception_ids:
        misconception = course.misconceptions.get(misconception_id)
        # None for a slip, behind which there is no idea, and for an id that the course dropped since.
        if misconception is not None:
            yield Belief(misconception, course.place(misconception))


def _took(submission: Submission) -> str:
    """Return how long it took, and on which device where that is no processor; "" where no judge ran it."""
    evidence = submission.evidence
    if not evidence.get("judge") or submission.same_as:
        return ""
    took, device = words.duration(evidence.get("seconds", 0.0)), evidence.get("device")
    return f"{took} on {device}" if device else took


def _repeats(submission: Submission) -> str:
    if submission.same_as is None:
        return ""
    earlier = f"{'run' if submission.is_run else 'submission'} {submission.same_as}"
    return (
        f"This is the program of {earlier}: comments and layout do not count. Its verdict stands; it was not run again."
    )


def _steps(steps: Iterable[dict[str, Any]]) -> Iterable[StepView]:
    for number, step in enumerate(steps, start=1):
        yield StepView(
            number, step["label"], words.rows(step["reference"]), words.rows(step["theirs"]), step["parts_here"]
        )


def _marks(submission: Submission) -> str:
    if submission.mark is None or submission.marks_available is None:
        return ""
    return f"{words.marks(submission.mark)} of {words.marks(submission.marks_available)}"


def _tally(results: Sequence[CheckResult], held: int) -> str:
    if not results:
        return ""
    noun = "example" if all(result.is_example for result in results) else "check"
    if held == len(results):
        return f"{words.cardinal(held)} {noun} holds" if held == 1 else f"All {held} {noun}s hold"
    return f"{held} of {len(results)} {noun}s {'holds' if held == 1 else 'hold'}"


def _heading(submission: Submission, tally: str, headline: str) -> str:
    """Return the heading of the list of checks, which need not say again what the page's headline says."""
    if f"{tally}." != headline:
        return tally
    return "The visible examples" if submission.is_run else "Check by check"


def _holding_words(held: int, *, has_others: bool) -> str:
    if not has_others:
        return "All of them"
    return f"{words.cardinal(held)} {'other' if held == 1 else 'others'}"
