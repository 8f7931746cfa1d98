"""Everything that exercises say to learners, on one page, and what is wrong with it.

`python -m grader.judge.phrasebook [EXERCISE_FOLDER ...]` prints the page, of every exercise where none is named. Each
check stands there as it fails on some wrong program of the exercise's own.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercise, load_exercises
from grader.exercises import Exercise
from grader.judge.folders import open_bench
from grader.judge.scoring import Score, score
from grader.judge.settings import course_path
from grader.verdicts import CheckReport

WORDS = range(8, 31)  # of a hint: fewer say nothing to do, more are not read
SENTENCE_WORDS = range(4, 31)  # of a variant's detail, which says why and what to try in two or three sentences

# With one of these a clause begins that says what to do; the last sentence of each text has one.
_TRIES = re.compile(
    r"(?:add|apply|begin|call|change|choose|compare|compute|continue|count|cut|divide|do|double|draw|drop|exchange"
    r"|exponentiate|fill|give|hide|join|keep|leave|let|look|make|mask|move|multiply|normalise|pass|print|put|read|remove"
    r"|repeat|replace|reshape|return|reverse|set|split|square|subtract|sum|swap|take|try|turn|use|work|write)\b",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:] |\b(?:[Ss]o|[Aa]nd|[Oo]r|[Ee]ither|[Hh]ere)\b,? ")

# A name of code: with an underscore or a dot inside, or a capital letter by itself.
_NAME = re.compile(r"[A-Za-z]\w*(?:[._]\w+)+|(?<![\w’'])[B-HJ-Z][A-Z\dqkv]?(?![\w’'])")
_PATH = re.compile(r"(?<![\w.])/\w+|\w+\.py\b|[A-Z]:\\")
# What a Python programmer may be told to try although no brief speaks of it.
_LIBRARY = {"torch", "math", "np", "numpy", "float32", "float64", "NaN", "None", "dtype"}
_OF_TENSORS = {
    "named_parameters",
    "logsumexp",
    "autograd",
    "grad",
    "T",
    "cat",
    "repeat_interleave",
    "masked_fill",
    "triu",
    "tril",
    "softmax",
    "transpose",
    "contiguous",
    "view",
    "reshape",
    "clone",
}


def faults_of(exercise: Exercise, found: Score) -> list[str]:
    """Return what is wrong with an exercise's messages, in sentences for its author."""
    faults = [f"{check.id}: {fault}" for check in exercise.checks for fault in _of_hint(exercise, check.hint)]
    for report in found.messages.values():
        for text in (report.title, report.expected, report.got, report.tried_with):
            faults += [f"{report.check}: {fault}" for fault in _of_names(exercise, text)]
    for variant in exercise.variants:
        faults += [f"{variant.id}: {fault}" for fault in _of_detail(exercise, variant.detail)]
        faults += [f"{variant.id}: {fault}" for fault in _of_names(exercise, variant.likeness)]
        if variant.likeness[:1].isupper() or variant.likeness.endswith("."):
            faults.append(f"{variant.id}: the likeness is no part of a sentence: {variant.likeness}")
    likenesses = [variant.likeness for variant in exercise.variants]
    faults += [f"two variants are called {each}" for each in sorted(set(likenesses)) if likenesses.count(each) > 1]
    return faults


def _of_hint(exercise: Exercise, hint: str) -> Iterator[str]:
    if len(hint.split()) not in WORDS:
        yield f"the hint has {len(hint.split())} words: {hint}"
    if not hint.endswith("."):
        yield f"the hint is no sentence: {hint}"
    yield from _of_last_sentence(hint)
    yield from _of_names(exercise, hint)


def _of_detail(exercise: Exercise, detail: str) -> Iterator[str]:
    for sentence in re.split(r"(?<=[.?]) ", detail):
        if len(sentence.split()) not in SENTENCE_WORDS or not sentence.endswith((".", "?")):
            yield f"the sentence has {len(sentence.split())} words or no end: {sentence}"
    yield from _of_last_sentence(detail)
    yield from _of_names(exercise, detail)


def _of_last_sentence(text: str) -> Iterator[str]:
    last = re.split(r"(?<=[.?]) ", text)[-1]
    if not any(_TRIES.match(clause) for clause in _CLAUSE.split(last)):
        yield f"the last sentence does not say what to try: {last}"


def _of_names(exercise: Exercise, text: str) -> Iterator[str]:
    """Report paths, and names that neither the brief nor a library explains."""
    for path in _PATH.findall(text):
        yield f"names a file, {path}: {text}"
    known = set(re.findall(r"\w+", f"{exercise.brief} {exercise.signature} {exercise.starter}")) | _LIBRARY
    for name in _NAME.findall(text):
        parts = re.split(r"\.", name)
        if not all(part in known or hasattr(np, part) or part in _OF_TENSORS or part.isdigit() for part in parts):
            yield f"names {name}, which the brief does not: {text}"


def page_of(exercise: Exercise, found: Score) -> Iterator[str]:
    """Return the lines of an exercise's part of the page."""
    yield f"\n## {exercise.title} ({exercise.slug})\n"
    for check in exercise.checks:
        yield f"- **{check.title}**" + (" (fragile)" if check.is_fragile else "")
        yield from _sample(found.messages.get(check.id))
        yield f"  - try: {check.hint}"
    yield "\n| wrong program | it behaves exactly like … | why, and what to try | belief |\n|---|---|---|---|"
    for variant in exercise.variants:
        yield f"| {variant.id} | {variant.likeness} | {variant.detail} | {variant.belief} |"
    yield from (f"\nFAULT {fault}" for fault in faults_of(exercise, found))


def _sample(report: CheckReport | None) -> Iterator[str]:
    if report is None:
        yield "  - no wrong program fails it"
        return
    difference = "" if report.largest_difference is None else f"; largest difference {report.largest_difference:.3g}"
    yield f"  - expected: {report.expected}; got: {report.got}{difference}; with {report.tried_with}"


def main() -> int:
    """Write the page; return 1 where a message has a fault."""
    course = Faults()
    folders = [Path(each).resolve() for each in sys.argv[1:]]
    exercises = [load_exercise(folder, course) for folder in folders] or load_exercises(course_path(), course).values()
    course.raise_if_any()
    faults = 0
    sys.stdout.write("# What exercises say to learners\n")
    for exercise in exercises:
        found = score(open_bench(exercise), seeds=(1,), pairs=0)
        sys.stdout.write("\n".join(page_of(exercise, found)) + "\n")
        faults += len(faults_of(exercise, found))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
