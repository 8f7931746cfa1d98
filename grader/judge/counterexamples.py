"""The smallest input that shows what is wrong: worked step by step beside the reference where the rule is known.

The steps of a rule are shown only if the learner's program, called once more, returns on it just what the rule gives.
Of a program that follows none, only what it really returned is shown.
"""

from collections.abc import Sequence

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.arrays import Floats
from grader.judge.diagnosing import MATCH, apart, distance
from grader.judge.folders import Bench, Function, blaming_the_author
from grader.judge.guests import Guest
from grader.judge.probing import Call, Input, Probe
from grader.judge.rules import answer_of
from grader.judge.wording import as_matrix, in_words
from grader.sandbox.replies import Died, Returned
from grader.untrusted import Matrix
from grader.verdicts import Counterexample, GivenMatrix, Step

VISIBLE = 0.01  # relative to the numbers: a difference that shows in what is printed with four decimals

OF_ITS_KIND = (
    "{} numbers: no smaller input of its kind tells your rule from the right one and from every other known rule."
)
OF_BOTH = "{} numbers: the smallest input tried on which both mistakes show, each making a difference to the result."
OF_THOSE_TRIED = "{} numbers: the smallest input tried on which your result is not right."
SHAPES = " What has more than two axes stands here row by row; the shapes are {}."

Steps = list[tuple[str, Floats]]


def counterexample(bench: Bench, mistakes: Sequence[WrongVariant], guest: Guest) -> Counterexample | None:
    """Return the counterexample of a program that makes these mistakes, or unknown ones where they are none.

    None where there is none to show, or where the program does something else on it than its mistakes foretell.
    """
    if not mistakes or bench.steps_of is None:
        return _unexplained(bench, guest)
    found = _shows(bench, mistakes)
    if found is None:
        return None
    inputs, sentence = found
    switches = _switches(bench, mistakes)
    if distance(_tried(bench, inputs, guest), _rule(bench, mistakes)) > MATCH:
        return None
    with blaming_the_author(f"{bench.exercise.slug}/switches.py"), np.errstate(all="ignore"):
        reference, theirs = bench.steps_of({}, *inputs), bench.steps_of(switches, *inputs)
    return Counterexample(_said(bench, sentence, inputs), _given(bench, inputs), _worked(reference, theirs))


def _shows(bench: Bench, mistakes: Sequence[WrongVariant]) -> tuple[tuple[Input, ...], str] | None:
    """Return the smallest input that shows these mistakes, each of them if any does, and a sentence on it."""
    own = bench.counterexamples.get(mistakes[0].id) if len(mistakes) == 1 else None
    if own is not None:
        return own, OF_ITS_KIND
    rule, alone = _rule(bench, mistakes), [bench.variants[each.id] for each in mistakes]
    for others in ((bench.reference, *alone), (bench.reference,)) if len(mistakes) > 1 else ((bench.reference,),):
        for inputs in sorted(bench.counterexamples.values(), key=_count):
            if all(_is_visible(rule, other, inputs) for other in others):
                return inputs, OF_BOTH if len(others) > 1 else OF_THOSE_TRIED
    return None


def _rule(bench: Bench, mistakes: Sequence[WrongVariant]) -> Function:
    if len(mistakes) == 1:
        return bench.variants[mistakes[0].id]
    assert bench.family is not None
    return bench.family(**_switches(bench, mistakes))


def _switches(bench: Bench, mistakes: Sequence[WrongVariant]) -> dict[str, object]:
    return {name: value for each in mistakes for name, value in bench.switches.get(each.id, {}).items()}


def _is_visible(rule: Function, other: Function, inputs: tuple[Input, ...]) -> bool:
    """Say whether two rules answer so differently to these inputs that it shows."""
    call = Call(inputs, "a small input")
    one, two = answer_of(rule, call)[0], answer_of(other, call)[0]
    return one is not None and two is not None and apart(one, two) > VISIBLE


def _unexplained(bench: Bench, guest: Guest) -> Counterexample | None:
    """Return the smallest of the inputs that show known rules on which the program's own result is visibly wrong."""
    for inputs in sorted(bench.counterexamples.values(), key=_count):
        probe = _tried(bench, inputs, guest)
        if isinstance(probe.reply, Died):
            return None
        if not isinstance(probe.reply, Returned) or any(probe.fault_of_form()):
            continue
        if distance(probe, bench.reference) > VISIBLE:
            step = Step("What comes out in the end.", as_matrix(probe.expected), as_matrix(probe.output()), True)
            return Counterexample(_said(bench, OF_THOSE_TRIED, inputs), _given(bench, inputs), (step,))
    return None


def _tried(bench: Bench, inputs: Sequence[Input], guest: Guest) -> Probe:
    """Return a call of the program, made."""
    probe = bench.probe(Call(tuple(inputs), "a small input"))
    probe.reply = guest.call(bench.exercise.function, probe.call.arguments())
    return probe


def _count(inputs: Sequence[Input]) -> int:
    return sum(given.size if isinstance(given, np.ndarray) else not isinstance(given, str) for given in inputs)


def _said(bench: Bench, sentence: str, inputs: Sequence[Input]) -> str:
    """Return the sentence, and what shape an array has whose table does not show it."""
    names = [parameter.name for parameter in bench.exercise.arguments]
    deep = [
        f"{name} {in_words(given.shape)}"
        for name, given in zip(names, inputs, strict=False)
        if isinstance(given, np.ndarray) and given.ndim > 2
    ]
    shapes = SHAPES.format(", ".join(deep)) if deep else ""
    return sentence.format(_count(inputs)) + shapes


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
