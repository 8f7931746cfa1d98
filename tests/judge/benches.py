"""The exercises and the programs that the judge's tests are about."""

from functools import lru_cache
from pathlib import Path

from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercises
from grader.exercises import Exercise
from grader.judge.folders import Bench, open_bench
from grader.judge.guests import open_trusted
from grader.judge.judging import judge
from grader.judge.scoring import Score, score
from grader.messages import Kind
from grader.verdicts import CheckOutcome, Verdict

COURSE = Path(__file__).parents[2] / "courseware" / "content"


@lru_cache
def exercises() -> dict[str, Exercise]:
    faults = Faults()
    loaded = load_exercises(COURSE, faults)
    faults.raise_if_any()
    return loaded


@lru_cache
def bench(slug: str) -> Bench:
    return open_bench(exercises()[slug])


@lru_cache
def scored(slug: str) -> Score:
    """Return what came of an exercise's own programs on a few seeds; several tests look at it."""
    return score(bench(slug), seeds=(1, 2, 2**63 - 1), pairs=3)  # of 21 exercises


def attention() -> Bench:
    return bench("attention")


def style(name: str, slug: str = "attention") -> str:
    """Return the source of a correct program."""
    return _source(slug, "reference.py", f"STYLES[{name!r}]")


def wrong(variant: str, slug: str = "attention") -> str:
    """Return the source of a known-wrong program."""
    return _source(slug, "switches.py", f"VARIANTS[{variant!r}]")


def switched(switches: dict[str, object], slug: str) -> str:
    """Return the source of the family's program with several switches set."""
    function = exercises()[slug].function
    return _source(slug, "switches.py", f"partial({function}, **{switches!r})")


def judged(source: str, *, slug: str = "attention", seed: int = 1, kind: Kind = Kind.SUBMIT) -> Verdict:
    """Return the verdict on one of the course's own programs, run in this process."""
    return judge(bench(slug), source, seed=seed, opener=open_trusted, kind=kind)


def failing(verdict: Verdict) -> set[str]:
    return {report.check for report in verdict.checks if report.outcome is CheckOutcome.FAILS}


def _source(slug: str, file: str, function: str) -> str:
    exercise = exercises()[slug]
    return f"{(exercise.folder / file).read_text()}\n{exercise.function} = {function}\n"
