"""Judges one solution on the command line, without a server: `python -m grader.judge EXERCISE_FOLDER SOLUTION.py`.

With --mutate in place of the solution it judges the exercise itself, by its own right and wrong programs.
Exit code 0 means right, 1 any other verdict that is the learner's or a fault in the exercise's score, 2 a wrong call,
a broken exercise or no sandbox.
"""

import argparse
import secrets
import sys
from functools import partial
from pathlib import Path

from courseware.concepts.faults import BrokenCourse, Faults
from grader.costs import Cost
from grader.exercise_files import load_exercise
from grader.exercises import Exercise
from grader.judge.folders import BrokenExercise, open_bench
from grader.judge.judging import judge
from grader.judge.scoring import as_lines, score
from grader.judge.settings import BadSetting, sandbox_uid
from grader.messages import SEED_LIMIT, Kind
from grader.sandbox.nursery import Library, own_nursery
from grader.sandbox.probe import find_rung
from grader.sandbox.replies import SandboxUnavailable
from grader.sandbox.runner import open_guest
from grader.verdicts import CheckOutcome, CheckReport, Outcome, Owner, Verdict

_MARKS = {CheckOutcome.HOLDS: "holds", CheckOutcome.FAILS: "FAILS", CheckOutcome.NOT_REACHED: "not reached"}


def main() -> int:
    """Judge the solution, write the verdict and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m grader.judge", description="Judge one solution of an exercise.")
    parser.add_argument("folder", type=Path, help="the exercise's folder, which holds exercise.yaml")
    parser.add_argument("solution", type=Path, nargs="?", help="the Python file to judge")
    parser.add_argument("--mutate", action="store_true", help="score the exercise by its own programs instead")
    parser.add_argument("--seeds", type=int, default=5, help="over how many seeds, with --mutate")
    parser.add_argument("--pairs", type=int, default=100, help="over how many pairs of mistakes, with --mutate")
    parser.add_argument("--seed", type=int, help="repeat the draws of an earlier run")
    parser.add_argument("--examples", action="store_true", help="try the visible examples only")
    arguments = parser.parse_args()
    if (arguments.solution is None) != arguments.mutate:
        parser.error("give a solution or --mutate, one of the two")
    seed = secrets.randbelow(SEED_LIMIT) if arguments.seed is None else arguments.seed
    course = Faults()
    try:
        exercise = load_exercise(arguments.folder.resolve(), course)
        course.raise_if_any()
        bench = open_bench(exercise)
        if arguments.mutate:
            found = score(bench, seeds=range(seed, seed + arguments.seeds), pairs=arguments.pairs)
            sys.stdout.write("\n".join(as_lines(found)) + "\n")
            return 1 if found.faults else 0
        uid, needed = sandbox_uid(), _needed(exercise)
        rung = find_rung(libraries=needed, uid=uid).rung
        verdict = judge(
            bench,
            arguments.solution.read_text(encoding="utf-8"),
            seed=seed,
            opener=partial(open_guest, take=own_nursery(uid, needed, rung).take),
            kind=Kind.RUN if arguments.examples else Kind.SUBMIT,
        )
    except (OSError, UnicodeDecodeError, BrokenCourse, BrokenExercise, BadSetting, SandboxUnavailable) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{exercise.title}, seed {seed}\n\n{as_text(verdict)}\n")
    if verdict.owner is not Owner.LEARNER:
        return 2
    return 0 if verdict.outcome is Outcome.RIGHT else 1


def _needed(exercise: Exercise) -> tuple[Library, ...]:
    return ("numpy", "pytorch") if exercise.library == "pytorch" else ("numpy",)  # PyTorch takes seconds to import


def as_text(verdict: Verdict) -> str:
    """Return the whole verdict as lines to read."""
    lines = [f"{verdict.outcome.value.upper()}: {verdict.sentence}"]
    lines += [f"{100 * verdict.fraction:.0f} % of the marks, in {verdict.seconds} s"]
    lines += [f"Remark: {remark}" for remark in verdict.remarks]
    lines += [f"Reason: {verdict.reason}"] if verdict.reason else []
    if verdict.diagnosis:
        parts = (verdict.diagnosis.sentence, verdict.diagnosis.detail, verdict.diagnosis.evidence)
        lines += ["", *(part for part in parts if part)]
        lines += [f"({verdict.diagnosis.misconception})"] if verdict.diagnosis.misconception else []
    for title, reports in (("Examples", verdict.examples), ("Checks", verdict.checks)):
        lines += ["", title] if reports else []
        for report in reports:
            lines += _report_lines(report)
    if verdict.cost:
        lines += ["", f"Memory beyond the start, and time, by {verdict.cost.counted}", *_cost_lines(verdict.cost)]
    if verdict.weights:
        for title, matrix in (
            ("Weights, yours", verdict.weights.theirs),
            ("the reference’s", verdict.weights.reference),
        ):
            lines += ["", title]
            lines += ["  ".join("   ?  " if cell is None else f"{cell:6.3f}" for cell in row) for row in matrix]
    if verdict.output:
        lines += ["", "It printed" + (", cut" if verdict.output_cut else ""), verdict.output.rstrip("\n")]
    return "\n".join(lines)


def _cost_lines(cost: Cost) -> list[str]:
    own, theirs = (
        [f"{size / 2**20:8.1f} MB {time:6.2f} s" for size, time in zip(sizes, times, strict=True)]
        for sizes, times in ((cost.reference_bytes, cost.reference_seconds), (cost.memory_bytes, cost.seconds))
    )
    theirs += ["stopped"] * (len(own) - len(theirs))
    return [
        f"  {length:>7,}  yours {mine:>19}  the reference’s {reference}"
        for length, mine, reference in zip(cost.lengths, theirs, own, strict=True)
    ]


def _report_lines(report: CheckReport) -> list[str]:
    lines = [f"  {_MARKS[report.outcome]:11}  {report.title}"]
    for name in ("expected", "got", "tried_with", "hint"):
        text = getattr(report, name)
        if text and report.outcome is not CheckOutcome.HOLDS:
            shown = text.replace("\n", "\n" + 28 * " ")
            lines.append(f"               {name.replace('_', ' '):12} {shown}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
