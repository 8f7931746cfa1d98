"""The smallest input that shows a diagnosed rule, worked step by step beside the reference.

It is shown only if the learner's program, called once more, returns on it just what the rule gives.
"""

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.arrays import Floats
from grader.judge.diagnosing import MATCH, distance
from grader.judge.folders import Bench, blaming_the_author
from grader.judge.guests import Guest
from grader.judge.probing import Call, Input
from grader.judge.wording import as_matrix
from grader.untrusted import Matrix
from grader.verdicts import Counterexample, GivenMatrix, Step

Steps = list[tuple[str, Floats]]


def counterexample(bench: Bench, variant: WrongVariant, guest: Guest) -> Counterexample | None:
    """Return the counterexample of a variant; None where it has none or the program does something else on it."""
    inputs = bench.counterexamples.get(variant.id)
    if inputs is None or bench.steps_of is None:
        return None
    probe = bench.probe(Call(inputs, "the smallest input that shows it"))
    probe.reply = guest.call(bench.exercise.function, probe.call.arguments())
    if distance(probe, bench.variants[variant.id]) > MATCH:
        return None
    with blaming_the_author(f"{bench.exercise.slug}/switches.py"), np.errstate(all="ignore"):
        reference, theirs = bench.steps_of(None, *inputs), bench.steps_of(variant.id, *inputs)
    names = [parameter.name for parameter in bench.exercise.arguments]
    numbers = sum(given.size if isinstance(given, np.ndarray) else 1 for given in inputs)
    return Counterexample(
        sentence=(
            f"{numbers} numbers: no smaller input of its kind tells your rule from the right one and from every other "
            "known rule."
        ),
        given=tuple(GivenMatrix(name, _shown(value)) for name, value in zip(names, inputs, strict=False)),
        steps=_worked(reference, theirs),
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
