"""Diagnosing: which known-wrong rule a program follows, decided by its outputs on two independent draws.

A name is given only where one rule, and no other that can be told apart from it, gives the same outputs. A wrong name
would send a learner after a mistake that is not there, so every doubt ends in no name.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.arrays import Numbers, from_wire
from grader.judge.folders import Bench, Function
from grader.judge.measuring import measured
from grader.judge.probing import Draw, Probe
from grader.judge.rules import Rule, answer_of
from grader.sandbox.replies import Raised, Returned
from grader.verdicts import Diagnosis, Wording

# Relative to the largest number of an output. Programs that follow one rule differ by 1e-15 in float64 and by about
# 3e-7 in float32; two known rules differ by more than 1e-3 on these probes.
MATCH = 1e-6
GAP = 100.0  # how much farther the next rule must be
NOISE = 1e-8  # below this, a residual is as good as none
FAR = GAP * MATCH  # a rule that is this far off somewhere neither fits nor casts a doubt

ONE = "It behaves exactly like {}."
TWO = "It behaves exactly like two mistakes at once: {}, and {}."
ONE_AND_ANOTHER = "It behaves like {}, and something else is wrong besides."

NUMBERS = (
    "On two independent sets of inputs your output equals that rule to {digits} decimals, "
    "and no other known rule comes near."
)
CORE_NUMBERS = (
    "On the plain ones of two independent sets of inputs your output equals that rule to {digits} decimals, "
    "and no other known rule comes near; what else was asked for fails besides."
)
BOTH_NUMBERS = (
    "On two independent sets of inputs your output equals that of both together to {digits} decimals; "
    "neither of them alone comes near, and no other two."
)
SHARED_NUMBERS = (
    "On two independent sets of inputs your output equals that rule with a second mistake to {digits} decimals; "
    "which one the second is cannot be told: {seconds}."
)
NO_NUMBERS = (
    "On two independent sets of inputs none of your numbers is finite, and of the known rules only that one does so."
)
WRITING = "Your output is right; on two independent sets of inputs the same arguments changed as with that rule."


@dataclass(frozen=True)
class Candidate:
    """A rule and how far the program's outputs are from its own, at worst."""

    rule: Rule
    residual: float


@dataclass(frozen=True)
class Recognition:
    """What a diagnosis says, and the mistakes whose behaviour it is: one or two; none unless it is exactly theirs."""

    diagnosis: Diagnosis
    mistakes: tuple[WrongVariant, ...] = ()


def diagnose(bench: Bench, draws: Sequence[Draw], rules: Sequence[Rule]) -> Recognition | None:
    """Return which of these rules the program follows; None where it does just what the reference does."""
    ordinary = [probe for draw in draws for probe in draw.ordinary()]
    extreme = [probe for draw in draws for probe in draw.extreme()]
    right = bench.exercise.tolerance.single_precision
    singles = [rule for rule in rules if rule.variant and not rule.variant.is_costly]  # whose values are right
    wrong = [rule for rule in singles if rule.variant and not rule.variant.is_fragile]
    if _residual(ordinary, bench.reference, enough=right) > right:
        if not _has_returned(ordinary):
            return None  # a program that only raised shows no rule
        found = _recognised(wrong, ordinary) or _both(rules, ordinary)
        core = [probe for probe in ordinary if not probe.call.is_further]
        if not found and len(core) < len(ordinary) and _residual(core, bench.reference, enough=right) > right:
            # What asks for more than the core is left for when the core is right.
            found = _recognised(wrong, core, evidence=CORE_NUMBERS) if _has_returned(core) else None
        return found or Recognition(measured(bench, draws[0]))
    if _residual(extreme, bench.reference) > MATCH:
        fragile = [rule for rule in singles if rule not in wrong]
        return _recognised(fragile, ordinary + extreme) or Recognition(measured(bench, draws[0]))
    if any(probe.changed_inputs() for probe in ordinary if isinstance(probe.reply, Returned)):
        writing = [rule for rule in wrong if _writes_alike(ordinary, rule.function)]
        found = _recognised(writing, ordinary, evidence=WRITING)
        return found if found and found.mistakes else None  # the check that failed says all there is to say
    return None


def _recognised(rules: Iterable[Rule], probes: Sequence[Probe], *, evidence: str = NUMBERS) -> Recognition | None:
    """Return the single rule that fits these probes, or those between which they cannot decide; None without one."""
    near = _near(rules, probes)
    if not near or near[0].residual > MATCH:
        return None
    best = near[0].rule.variant
    assert best is not None
    others = [each for each in near[1:] if each.rule.variant and each.rule.variant.id not in best.equals]
    if others and (others[0].residual <= MATCH or others[0].residual < GAP * max(near[0].residual, NOISE)):
        likenesses = [best.likeness, *(each.rule.variant.likeness for each in others if each.rule.variant)]
        return Recognition(_undecided(likenesses))
    if not any(isinstance(probe.reply, Returned) and probe.has_finite_number() for probe in probes):
        evidence = NO_NUMBERS
    exact = Diagnosis(
        wording=Wording.EXACT,
        misconception=best.belief,
        sentence=ONE.format(best.likeness),
        detail=best.detail,
        evidence=evidence.format(digits=_digits(near[0].residual)),
    )
    return Recognition(exact, (best,))


def _both(rules: Iterable[Rule], probes: Sequence[Probe]) -> Recognition | None:
    """Return the two mistakes that together fit these probes, or the one that all fitting pairs share."""
    near = _near((rule for rule in rules if not rule.variant), probes)
    if not near or near[0].residual > MATCH:
        return None
    digits = _digits(near[0].residual)
    readings = [reading for each in near for reading in each.rule.readings]
    if len(readings) == 1:
        one, other = sorted(readings[0], key=lambda each: each.is_slip)  # a belief is worth more words than a slip
        both = Diagnosis(
            wording=Wording.EXACT,
            misconception=one.belief,
            also=other.belief if other.belief != one.belief else "",
            sentence=TWO.format(one.likeness, other.likeness),
            detail=f"{one.detail} {other.detail}",
            evidence=BOTH_NUMBERS.format(digits=digits),
        )
        return Recognition(both, (one, other))
    shared = [each for each in readings[0] if all(each in reading for reading in readings)]
    seconds = [each.likeness for reading in readings for each in reading if each not in shared]
    if len(shared) != 1:
        return Recognition(_undecided([f"{one.likeness} with {other.likeness}" for one, other in readings]))
    and_another = Diagnosis(
        wording=Wording.EXACT,
        misconception=shared[0].belief,
        sentence=ONE_AND_ANOTHER.format(shared[0].likeness),
        detail=shared[0].detail,
        evidence=SHARED_NUMBERS.format(digits=digits, seconds="; or ".join(seconds)),
    )
    return Recognition(and_another)


def _undecided(likenesses: Sequence[str]) -> Diagnosis:
    return Diagnosis(
        wording=Wording.CONSISTENT,
        misconception="",
        sentence=f"It is consistent with {likenesses[0]}; other rules would look the same here.",
        detail=f"These rules cannot be told apart by what your program returned: {'; '.join(likenesses)}.",
    )


def _near(rules: Iterable[Rule], probes: Sequence[Probe]) -> list[Candidate]:
    """Return the rules that are not far from the program on any of these probes, the nearest first."""
    candidates = (Candidate(rule, _residual(probes, rule.function, enough=FAR)) for rule in rules)
    return sorted((each for each in candidates if each.residual < FAR), key=lambda each: each.residual)


def _residual(probes: Iterable[Probe], function: Function, *, enough: float = np.inf) -> float:
    """Return how far the program is from a rule on the worst of these probes; infinite where they do not compare.

    Probes after the first on which it is farther than `enough` are not looked at: they cannot bring it nearer.
    """
    worst = 0.0
    for probe in probes:
        worst = max(worst, distance(probe, function))
        if worst > enough:
            break
    return worst


def _has_returned(probes: Iterable[Probe]) -> bool:
    return any(isinstance(probe.reply, Returned) for probe in probes)


def _writes_alike(probes: Iterable[Probe], function: Function) -> bool:
    """Say whether a rule writes into the same arguments as the program does."""
    return all(
        probe.changed_inputs() == answer_of(function, probe.call)[1]
        for probe in probes
        if isinstance(probe.reply, Returned)
    )


def distance(probe: Probe, function: Function) -> float:
    """Return how far the reply to one probe is from what a rule answers, relative to the answer's size."""
    rule, _ = answer_of(function, probe.call)
    if isinstance(probe.reply, Raised) or rule is None:
        return 0.0 if isinstance(probe.reply, Raised) and rule is None else np.inf
    if not isinstance(probe.reply, Returned) or len(probe.reply.outputs) != 1:
        return np.inf
    got = from_wire(probe.reply.outputs[0])
    return apart(got, rule) if got.dtype.kind in "fiub" else np.inf


def apart(one: Numbers, other: Numbers) -> float:
    """Return how far two answers are apart, relative to the size of the other; infinite where they do not compare."""
    if one.shape != other.shape:
        return np.inf
    values, finite = one.astype(np.float64), np.isfinite(other)
    if not np.array_equal(finite, np.isfinite(values)):
        return np.inf
    scale = max(1.0, float(np.abs(other[finite]).max(initial=0.0)))
    return float(np.abs(values[finite] - other[finite]).max(initial=0.0)) / scale


def _digits(residual: float) -> str:
    """Return to how many decimals a matching residual amounts: nine at most, as rounding decides the rest."""
    words = {6: "six", 7: "seven", 8: "eight", 9: "nine"}
    return words[9 if residual <= 1e-9 else max(6, int(-np.log10(residual)))]
