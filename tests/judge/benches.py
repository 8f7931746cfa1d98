"""The exercise and the programs that the judge's tests are about."""

from functools import lru_cache
from pathlib import Path

from courseware.concepts.faults import Faults
from grader.exercises import load_exercises
from grader.judge.folders import Bench, open_bench
from grader.judge.guests import open_trusted
from grader.judge.judging import judge
from grader.messages import Kind
from grader.verdicts import CheckOutcome, Verdict

COURSE = Path(__file__).parents[2] / "courseware" / "content"


@lru_cache
def attention() -> Bench:
    faults = Faults()
    exercises = load_exercises(COURSE, faults)
    faults.raise_if_any()
    return open_bench(exercises["attention"])


def style(name: str) -> str:
    """Return the source of a correct program."""
    return (attention().exercise.folder / "reference.py").read_text() + f"\nattention = STYLES[{name!r}]\n"


def wrong(variant: str) -> str:
    """Return the source of a known-wrong program."""
    return (attention().exercise.folder / "switches.py").read_text() + f"\nattention = VARIANTS[{variant!r}]\n"


def judged(source: str, *, seed: int = 1, kind: Kind = Kind.SUBMIT) -> Verdict:
    """Return the verdict on one of the course's own programs, run in this process."""
    return judge(attention(), source, seed=seed, opener=open_trusted, kind=kind)


def failing(verdict: Verdict) -> set[str]:
    return {report.check for report in verdict.checks if report.outcome is CheckOutcome.FAILS}
