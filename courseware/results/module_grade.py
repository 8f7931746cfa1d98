"""The grade of a module, made of tests and exercises by the formula that the module states. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from courseware.concepts.grading import GradeFormula

_STORED = Decimal("0.0001")  # as marks are
_SHOWN = Decimal("0.1")  # a tenth of a per cent: more would pretend to a precision that no test has


@dataclass(frozen=True)
class ModuleGrade:
    """A grade out of 100."""

    percent: Decimal
    is_provisional: bool  # something that counts is still open or being graded

    @property
    def shown(self) -> str:
        return f"{self.percent.quantize(_SHOWN, rounding=ROUND_HALF_UP):f}"


@dataclass(frozen=True)
class Part:
    """One test or exercise of one learner."""

    mark: Decimal | None  # None where nothing was begun or ended
    out_of: Decimal
    is_pending: bool


def module_grade(formula: GradeFormula, tests: Sequence[Part], exercises: Sequence[Part]) -> ModuleGrade | None:
    """Return the grade, None while there is no mark at all."""
    if all(part.mark is None for part in (*tests, *exercises)):
        return None
    shares = []  # of each part with its weight
    if tests:
        test_share = sum(((part.mark or Decimal(0)) / part.out_of for part in tests), Decimal(0)) / len(tests)
        shares.append((test_share, formula.tests))
    if exercises:
        available = sum((part.out_of for part in exercises), Decimal(0))
        shares.append((sum((part.mark or Decimal(0) for part in exercises), Decimal(0)) / available, formula.exercises))
    weights = sum(weight for _, weight in shares)
    if not weights:
        return None
    percent = 100 * sum((share * weight for share, weight in shares), Decimal(0)) / weights
    return ModuleGrade(
        percent.quantize(_STORED, rounding=ROUND_HALF_UP), any(part.is_pending for part in (*tests, *exercises))
    )
