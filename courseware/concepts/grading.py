"""How the grade of a module is made of its parts, as `module.yaml` says it. Pure."""

from dataclasses import dataclass

from courseware.concepts.sources import Fields


@dataclass(frozen=True)
class GradeFormula:
    """What tests and exercises count, in per cent that add up to 100."""

    tests: int
    exercises: int

    @property
    def sentence(self) -> str:
        """The formula in words, as staff and learners read it."""
        return (
            f"The module grade is {self.tests} % tests and {self.exercises} % exercises, out of 100. Every test counts "
            "alike, and of each exercise the best submission. What is not begun counts 0; where there is no test, or "
            "no exercise, the other part counts whole."
        )


def read_grade(fields: Fields) -> GradeFormula | None:
    """Return the formula under `grade`, None where a module has none: its gradebook then has no such column."""
    part = fields.fields("grade", required=False)
    if part is None:
        return None
    formula = GradeFormula(tests=part.integer("tests"), exercises=part.integer("exercises"))
    if formula.tests + formula.exercises != 100:
        part.fault("tests", f"and exercises make {formula.tests + formula.exercises} per cent; they make 100 together")
    part.refuse_unknown()
    return formula
