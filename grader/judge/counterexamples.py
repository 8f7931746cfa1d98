"""The smallest input that shows what is wrong: worked step by step beside the reference where the rule is known.

The steps of a rule are shown only if the learner's program, called once more, returns on it just what the rule gives.
Of a program that follows none, only what it really returned is shown.
"""

from collections.abc import Sequence

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.arrays import Floats
from grader.judge.diagnosing import MATCH, distance
from grader.judge.folders import Bench, blaming_the_author
from grader.judge.guests import Guest
from grader.judge.probing import Call, Input, Probe
from grader.judge.wording import as_matrix
from grader.sandbox.replies import Died, Returned
from grader.untrusted import Matrix
from grader.verdicts import Counterexample, GivenMatrix, Step

VISIBLE = 0.01  # relative to the numbers: a difference that shows in what is printed with four decimals

Steps = list[tuple[str, Floats]]


def counterexample(bench: Bench, variant: WrongVariant | None, guest: Guest) -> Counterexample | None:
    """Return the counterexample of a variant, or of a program that follows none; None where there is none to show."""
    if variant is None:
        return _smallest_failing(bench, guest)
    inputs = bench.counterexamples.get(variant.id)
    if inputs is None or bench.steps_of is None:
        return None
    if distance(_tried(bench, inputs, guest), bench.variants[variant.id]) > MATCH:
        return None
    with blaming_the_author(f"{bench.exercise.slug}/switches.py"), np.errstate(all="ignore"):
        reference, theirs = bench.steps_of(None, *inputs), bench.steps_of(variant.id, *inputs)
    return Counterexample(
        sentence=(
            f"{_count(inputs)} numbers: no smaller input of its kind tells your rule from the right one and from every "
            "other known rule."
        ),
        given=_given(bench, inputs),
        steps=_worked(reference, theirs),
    )


def _smallest_failing(bench: Bench, guest: Guest) -> Counterexample | None:
    """Return the smallest of the inputs that show known rules on which the program's own result is visibly wrong."""
    for inputs in sorted(bench.counterexamples.values(), key=_count):
        probe = _tried(bench, inputs, guest)
        if isinstance(probe.reply, Died):
            return None
        if not isinstance(probe.reply, Returned) or any(probe.fault_of_form()):
            continue
        if distance(probe, bench.reference) > VISIBLE:
            right, own = as_matrix(probe.expected), as_matrix(probe.output())
            return Counterexample(
                sentence=f"{_count(inputs)} numbers: the smallest input tried on which your result is not right.",
                given=_given(bench, inputs),
                steps=(Step("What comes out in the end.", right, own, parts_here=True),),
            )
    return None


def _tried(bench: Bench, inputs: Sequence[Input], guest: Guest) -> Probe:
    """Return a call of the program, made."""
    probe = bench.probe(Call(tuple(inputs), "a small input"))
    probe.reply = guest.call(bench.exercise.function, probe.call.arguments())
    return probe


def _count(inputs: Sequence[Input]) -> int:
    return sum(given.size if isinstance(given, np.ndarray) else not isinstance(given, str) for given in inputs)


def _given(bench: Bench, inputs: Sequence[Input]) -> tuple[GivenMatrix, ...]:
    """Return the arguments as matrices. A word only says which of several results is looked at, and has no number."""
    names = [parameter.name for parameter in bench.exercise.arguments]
    return tuple(
        GivenMatrix(name, _shown(value))
        for name, value in zip(names, inputs, strict=False)
        if not isinstance(value, str)
    )


def _shown(value: Input) -> Matrix:
    """Return an argument as a matrix; a plain number, such as that of an axis, is one of a single cell."""
    return as_matrix(np.asarray(value, dtype=np.float64))


def _worked(reference: Steps, theirs: Steps) -> tuple[Step, ...]:
    parting = next(
        (
            place
            for place, ((_, right), (_, wrong)) in enumerate(zip(reference, theirs, strict=True))
            if right.shape != wrong.shape or not np.allclose(right, wrong)
        ),
        None,
    )
    return tuple(
        Step(label=label, reference=as_matrix(right), theirs=as_matrix(wrong), parts_here=place == parting)
        for place, ((label, right), (_, wrong)) in enumerate(zip(reference, theirs, strict=True))
    )
