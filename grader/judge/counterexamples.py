"""The smallest input that shows a diagnosed rule, worked step by step beside the reference.

It is shown only if the learner's program, called once more, returns on it just what the rule gives.
"""

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.arrays import Floats
from grader.judge.diagnosing import MATCH, distance
from grader.judge.folders import Bench, blaming_the_author
from grader.judge.guests import Guest
from grader.judge.probing import Call, Probe
from grader.judge.wording import as_matrix
from grader.verdicts import Counterexample, GivenMatrix, Step

Steps = list[tuple[str, Floats]]


def counterexample(bench: Bench, variant: WrongVariant, guest: Guest) -> Counterexample | None:
    """Return the counterexample of a variant; None where it has none or the program does something else on it."""
    inputs = bench.counterexamples.get(variant.id)
    if inputs is None or bench.steps_of is None:
        return None
    call = Call(inputs, "the smallest input that shows it")
    probe = Probe(call, bench.expected(call))
    probe.reply = guest.call(bench.exercise.function, call.arguments())
    if distance(probe, bench.variants[variant.id]) > MATCH:
        return None
    with blaming_the_author(f"{bench.exercise.slug}/switches.py"), np.errstate(all="ignore"):
        reference, theirs = bench.steps_of(None, *inputs), bench.steps_of(variant.id, *inputs)
    names = [parameter.name for parameter in bench.exercise.parameters]
    numbers = sum(array.size for array in inputs)
    return Counterexample(
        sentence=(
            f"{numbers} numbers: no smaller input of small whole numbers tells your rule from attention and from every "
            "other known rule."
        ),
        given=tuple(GivenMatrix(name, as_matrix(array)) for name, array in zip(names, inputs, strict=True)),
        steps=_worked(reference, theirs),
    )


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
