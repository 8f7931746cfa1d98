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
from grader.judge.probing import Draw, Probe
from grader.sandbox.replies import Raised, Returned
from grader.verdicts import Diagnosis, Wording

# Relative to the largest number of an output. Programs that follow one rule differ by 1e-15 in float64 and by about
# 3e-7 in float32; two known rules differ by more than 1e-3 on these probes.
MATCH = 1e-6
GAP = 100.0  # how much farther the next rule must be
NOISE = 1e-8  # below this, a residual is as good as none

NO_RULE = Diagnosis(
    wording=Wording.NONE,
    misconception="",
    sentence="No known rule fits.",
    detail="Begin with the first check that fails: its line says what was expected and what to try.",
)

NUMBERS = (
    "On two independent sets of inputs your output equals that rule to {digits} decimals, "
    "and no other known rule comes near."
)
CORE_NUMBERS = (
    "On the plain ones of two independent sets of inputs your output equals that rule to {digits} decimals, "
    "and no other known rule comes near; what else was asked for fails besides."
)
NO_NUMBERS = (
    "On two independent sets of inputs none of your numbers is finite, and of the known rules only that one does so."
)
WRITING = "Your output is right; on two independent sets of inputs the same arguments changed as with that rule."


@dataclass(frozen=True)
class Candidate:
    """A known-wrong variant and how far the program's outputs are from its own, at worst."""

    variant: WrongVariant
    residual: float


@dataclass(frozen=True)
class Recognition:
    """What a diagnosis says, and the variant it names: None unless it is exact."""

    diagnosis: Diagnosis
    variant: WrongVariant | None


def diagnose(bench: Bench, draws: Sequence[Draw]) -> Recognition | None:
    """Return which known rule the program follows; None where it does just what the reference does."""
    ordinary = [probe for draw in draws for probe in draw.ordinary()]
    extreme = [probe for draw in draws for probe in draw.extreme()]
    right = bench.exercise.tolerance.single_precision
    if _residual(ordinary, bench.reference) > right:
        found = _recognised(bench, ordinary)
        core = [probe for probe in ordinary if not probe.call.is_further]
        if found and found.variant is None and len(core) < len(ordinary) and _residual(core, bench.reference) > right:
            # Two mistakes at once: what asks for more than the core is left for when the core is right.
            return _recognised(bench, core, evidence=CORE_NUMBERS)
        return found
    if _residual(extreme, bench.reference) > MATCH:
        return _recognised(bench, ordinary + extreme, is_fragile=True)
    if any(probe.changed_inputs() for probe in ordinary if isinstance(probe.reply, Returned)):
        found = _recognised(bench, ordinary, evidence=WRITING)
        return found if found and found.variant else None  # the check that failed says all there is to say
    return None


def _recognised(
    bench: Bench, probes: Sequence[Probe], *, is_fragile: bool = False, evidence: str = NUMBERS
) -> Recognition | None:
    """Return the rule that fits these probes; None where the program only raised and so shows no rule."""
    if not any(isinstance(probe.reply, Returned) for probe in probes):
        return None
    candidates = [
        Candidate(variant, _residual(probes, bench.variants[variant.id]))
        for variant in bench.exercise.variants
        if variant.is_fragile == is_fragile
        and not variant.is_costly  # its values are right
        and (evidence != WRITING or _writes_alike(probes, bench.variants[variant.id]))
    ]
    if not any(isinstance(probe.reply, Returned) and probe.has_finite_number() for probe in probes):
        evidence = NO_NUMBERS
    return _worded(sorted(candidates, key=lambda candidate: candidate.residual), evidence)


def _worded(candidates: list[Candidate], evidence: str) -> Recognition:
    matching = [candidate for candidate in candidates if candidate.residual <= MATCH]
    if not matching:
        return Recognition(NO_RULE, None)
    best = matching[0]
    others = [
        candidate
        for candidate in candidates
        if candidate is not best and candidate.variant.id not in best.variant.equals
    ]
    nearest = others[0].residual if others else np.inf
    if nearest > MATCH and nearest >= GAP * max(best.residual, NOISE):
        exact = Diagnosis(
            wording=Wording.EXACT,
            misconception=best.variant.belief,
            sentence=f"It behaves exactly like {best.variant.likeness}.",
            detail=best.variant.detail,
            evidence=evidence.format(digits=_digits(best.residual)),
        )
        return Recognition(exact, best.variant)
    likenesses = [candidate.variant.likeness for candidate in [best, *others] if candidate.residual <= GAP * MATCH]
    consistent = Diagnosis(
        wording=Wording.CONSISTENT,
        misconception="",
        sentence=f"It is consistent with {likenesses[0]}; other rules would look the same here.",
        detail=f"These rules cannot be told apart by what your program returned: {'; '.join(likenesses)}.",
    )
    return Recognition(consistent, None)


def _residual(probes: Iterable[Probe], function: Function) -> float:
    """Return how far the program is from a rule on the worst of these probes; infinite where they do not compare."""
    return max((distance(probe, function) for probe in probes), default=0.0)


def _writes_alike(probes: Iterable[Probe], function: Function) -> bool:
    """Say whether a rule writes into the same arguments as the program does."""
    return all(
        probe.changed_inputs() == _answered(probe, function)[1] for probe in probes if isinstance(probe.reply, Returned)
    )


def _answered(probe: Probe, function: Function) -> tuple[Numbers | None, list[int]]:
    """Return what a trusted rule answers to a probe and which arguments it changed.

    The answer is None where it raises: some rules do unless sizes are equal.
    """
    given = probe.call.copies()
    try:
        with np.errstate(all="ignore"):
            answer = np.asarray(function(*given))
    except (ValueError, IndexError, TypeError, ArithmeticError):
        answer = None
    changed = [
        position
        for position, (before, after) in enumerate(zip(probe.call.inputs, given, strict=True))
        if isinstance(before, np.ndarray) and isinstance(after, np.ndarray) and not np.array_equal(before, after)
    ]
    return answer, changed


def distance(probe: Probe, function: Function) -> float:
    """Return how far the reply to one probe is from what a rule answers, relative to the answer's size."""
    rule, _ = _answered(probe, function)
    if isinstance(probe.reply, Raised) or rule is None:
        return 0.0 if isinstance(probe.reply, Raised) and rule is None else np.inf
    if not isinstance(probe.reply, Returned) or len(probe.reply.outputs) != 1:
        return np.inf
    got = from_wire(probe.reply.outputs[0])
    if got.shape != rule.shape or got.dtype.kind not in "fiub":
        return np.inf
    values = got.astype(np.float64)
    finite = np.isfinite(rule)
    if not np.array_equal(finite, np.isfinite(values)):
        return np.inf
    scale = max(1.0, float(np.abs(rule[finite]).max(initial=0.0)))
    return float(np.abs(values[finite] - rule[finite]).max(initial=0.0)) / scale


def _digits(residual: float) -> str:
    """Return to how many decimals a matching residual amounts: nine at most, as rounding decides the rest."""
    words = {6: "six", 7: "seven", 8: "eight", 9: "nine"}
    return words[9 if residual <= 1e-9 else max(6, int(-np.log10(residual)))]
