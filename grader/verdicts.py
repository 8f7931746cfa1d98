"""Verdicts: what came of grading one submission, whose fault it is, and the message that carries it.

The judge writes a verdict with `to_message`; the recorder reads it with `from_message`, which believes nothing: the
judge's machine is less trusted than the site. Pure: knows neither Django, Celery, NumPy nor how grading works.
"""

from dataclasses import asdict, dataclass
from decimal import Decimal
from enum import Enum
from typing import Any, Self

from grader.costs import Cost
from grader.untrusted import Matrix, Untrusted

OUTPUT_LIMIT = 64 * 1024  # characters of captured output kept with a verdict
IDENTIFIER = r"[a-z0-9][a-z0-9-]{0,79}"


class Owner(Enum):
    """Who must act on a verdict. Only a learner's verdict may cost an attempt or a mark."""

    LEARNER = "learner"
    AUTHOR = "author"
    OPERATOR = "operator"


class Outcome(Enum):
    """How the grading of a submission ended."""

    RIGHT = "right"
    FRAGILE = "fragile"  # right on ordinary values, broken by an input that the failing check describes
    WRONG = "wrong"
    ERROR = "error"  # the program could not be loaded, raised, or left its process
    TIME = "time"
    MEMORY = "memory"
    OUTPUT = "output"  # it printed or returned more than the limit
    REFUSED = "refused"  # never run: the source is no source, such as a text with null characters
    BROKEN_EXERCISE = "broken_exercise"
    OPERATOR = "operator"  # sandbox or device missing, judge lost, digests that differ

    @property
    def owner(self) -> Owner:
        if self is Outcome.BROKEN_EXERCISE:
            return Owner.AUTHOR
        return Owner.OPERATOR if self is Outcome.OPERATOR else Owner.LEARNER


class CheckOutcome(Enum):
    """What one check found."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_REACHED = "not_reached"


class Wording(Enum):
    """How sure a diagnosis is: a name is given only on an exact match."""

    EXACT = "exact"  # one known rule gives the same outputs on two independent draws
    CONSISTENT = "consistent"  # several known rules do, and these inputs cannot tell them apart
    NONE = "none"  # no known rule fits


@dataclass(frozen=True)
class CheckReport:
    """One check of an exercise, or one of its visible examples, after it was tried."""

    check: str  # id in exercise.yaml
    title: str
    outcome: CheckOutcome
    expected: str = ""  # a summary for a hidden check; the numbers for a visible example
    got: str = ""
    largest_difference: float | None = None
    tried_with: str = ""  # such as "4 queries, 5 keys, width 6, float64"
    hint: str = ""  # what to try; empty while the check holds

    def to_message(self) -> dict[str, Any]:
        return asdict(self, dict_factory=_json_object)

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "check")
        report = cls(
            check=fields.matching("check", IDENTIFIER),
            title=fields.text("title", limit=200),
            outcome=fields.choice("outcome", CheckOutcome),
            expected=fields.text("expected"),
            got=fields.text("got"),
            largest_difference=fields.optional_number("largest_difference"),
            tried_with=fields.text("tried_with", limit=300),
            hint=fields.text("hint", limit=600),
        )
        fields.refuse_unknown()
        return report


@dataclass(frozen=True)
class Diagnosis:
    """Which known rule the program follows."""

    wording: Wording
    misconception: str  # id of a misconception or slip; "" unless the wording is exact
    sentence: str  # "It behaves exactly like softmax over the queries."
    detail: str = ""  # why that is not right, and what to try
    evidence: str = ""  # how it was found out
    also: str = ""  # id of the second of two, where two mistakes together behave so

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "diagnosis")
        diagnosis = cls(
            wording=fields.choice("wording", Wording),
            misconception=fields.matching("misconception", f"|{IDENTIFIER}"),
            sentence=fields.text("sentence", limit=600),
            detail=fields.text("detail"),
            evidence=fields.text("evidence"),
            also=fields.matching("also", f"|{IDENTIFIER}"),
        )
        fields.refuse_unknown()
        if diagnosis.also and not diagnosis.misconception:
            raise ValueError("diagnosis.also must not be named without a first")
        if bool(diagnosis.misconception) != (diagnosis.wording is Wording.EXACT):
            raise ValueError("diagnosis.misconception must be named exactly when the wording is exact")
        return diagnosis


@dataclass(frozen=True)
class ErrorReport:
    """The exception that a program raised, or how its process ended."""

    type: str
    message: str
    line: int | None  # in the learner's file

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "error")
        error = cls(
            type=fields.text("type", limit=100),
            message=fields.text("message"),
            line=fields.optional_integer("line", minimum=1),
        )
        fields.refuse_unknown()
        return error


@dataclass(frozen=True)
class Weights:
    """The attention weights of one probe: the learner's and the reference's. Rows are queries, columns keys."""

    theirs: Matrix
    reference: Matrix

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "weights")
        weights = cls(theirs=fields.matrix("theirs"), reference=fields.matrix("reference"))
        fields.refuse_unknown()
        return weights


@dataclass(frozen=True)
class GivenMatrix:
    """One input of a counterexample."""

    name: str
    values: Matrix

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "given")
        given = cls(name=fields.matching("name", r"[A-Za-z_][\w.]{0,30}"), values=fields.matrix("values"))
        fields.refuse_unknown()
        return given


@dataclass(frozen=True)
class Step:
    """One step of a counterexample, by the reference and by the learner's rule."""

    label: str
    reference: Matrix
    theirs: Matrix
    parts_here: bool  # the first step at which the two differ

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "step")
        step = cls(
            label=fields.text("label", limit=300),
            reference=fields.matrix("reference"),
            theirs=fields.matrix("theirs"),
            parts_here=fields.flag("parts_here"),
        )
        fields.refuse_unknown()
        return step


@dataclass(frozen=True)
class Counterexample:
    """The smallest input on which the diagnosed rule and the reference differ, step by step."""

    sentence: str
    given: tuple[GivenMatrix, ...]
    steps: tuple[Step, ...]

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "counterexample")
        counterexample = cls(
            sentence=fields.text("sentence", limit=600),
            given=fields.each("given", GivenMatrix.from_message, limit=16),
            steps=fields.each("steps", Step.from_message, limit=12),
        )
        fields.refuse_unknown()
        return counterexample


@dataclass(frozen=True)
class Verdict:
    """All that a learner and the staff are told about one submission."""

    outcome: Outcome
    sentence: str  # the verdict in one sentence, for the learner
    checks: tuple[CheckReport, ...] = ()  # in the exercise's order; none after a run of the examples
    examples: tuple[CheckReport, ...] = ()
    diagnosis: Diagnosis | None = None
    error: ErrorReport | None = None
    remarks: tuple[str, ...] = ()  # such as "correct, but dropped to float32"
    output: str = ""  # what the program printed, from the beginning
    output_cut: bool = False
    seconds: float = 0.0  # by the judge's clock
    marks_fraction: str = "0.0000"  # of the exercise's marks, as a decimal from 0 to 1
    weights: Weights | None = None
    counterexample: Counterexample | None = None
    cost: Cost | None = None  # measured only where the values are right
    behaviour_signature: str = ""  # equal for programs that behave alike on the same probes
    reason: str = ""  # for author and operator, never shown to a learner

    @property
    def owner(self) -> Owner:
        return self.outcome.owner

    @property
    def held(self) -> int:
        """How many checks hold."""
        return sum(report.outcome is CheckOutcome.HOLDS for report in self.checks)

    @property
    def fraction(self) -> Decimal:
        return Decimal(self.marks_fraction)

    def to_message(self) -> dict[str, Any]:
        """Return the verdict as JSON values."""
        return asdict(self, dict_factory=_json_object)

    @classmethod
    def from_message(cls, message: object) -> Self:
        """Return the verdict that a message carries; ValueError if anything in it is unexpected."""
        fields = Untrusted(message, "verdict")
        verdict = cls(
            outcome=fields.choice("outcome", Outcome),
            sentence=fields.text("sentence", limit=600),
            checks=fields.each("checks", CheckReport.from_message, limit=64),
            examples=fields.each("examples", CheckReport.from_message, limit=16),
            diagnosis=fields.optional("diagnosis", Diagnosis.from_message),
            error=fields.optional("error", ErrorReport.from_message),
            remarks=fields.texts("remarks", limit=16),
            output=fields.text("output", limit=OUTPUT_LIMIT),
            output_cut=fields.flag("output_cut"),
            seconds=fields.number("seconds"),
            marks_fraction=fields.matching("marks_fraction", r"0\.\d{4}|1\.0000"),
            weights=fields.optional("weights", Weights.from_message),
            counterexample=fields.optional("counterexample", Counterexample.from_message),
            cost=fields.optional("cost", Cost.from_message),
            behaviour_signature=fields.matching("behaviour_signature", r"|[0-9a-f]{64}"),
            reason=fields.text("reason"),
        )
        fields.refuse_unknown()
        verdict._refuse_contradictions()
        return verdict

    def _refuse_contradictions(self) -> None:
        """Raise ValueError where the parts of a verdict cannot all be true."""
        failing = [report for report in self.checks + self.examples if report.outcome is not CheckOutcome.HOLDS]
        if self.outcome is Outcome.RIGHT and (failing or not self.checks + self.examples):
            raise ValueError("verdict.outcome is right although a check does not hold")
        if self.owner is not Owner.LEARNER and self.fraction:
            raise ValueError("verdict.marks_fraction must be 0 where the fault is not the learner's")
        for reports in (self.checks, self.examples):
            if len({report.check for report in reports}) != len(reports):
                raise ValueError("verdict holds the same check twice")


def _json_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value.value if isinstance(value, Enum) else _lists(value) for name, value in pairs}


def _lists(value: Any) -> Any:
    """Return tuples as lists, all the way down, so that a message equals what JSON makes of it."""
    return [_lists(entry) for entry in value] if isinstance(value, tuple | list) else value
