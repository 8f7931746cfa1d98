"""The score of an exercise itself: does it pass what is right, catch what is wrong and call it by its name?

Right programs and known-wrong ones are judged as a learner's would be, over many seeds, but in this process: they are
the course's own. So are random pairs of mistakes, of which each must get both names, one of them, or none.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np

from grader.exercises import WrongVariant
from grader.judge.comparing import compare
from grader.judge.diagnosing import FAR, ONE, ONE_AND_ANOTHER, TWO
from grader.judge.folders import Bench, Function
from grader.judge.guests import opener_of
from grader.judge.judging import judge
from grader.judge.probing import Draw
from grader.judge.rules import Rule, answer_of, pair_rules
from grader.verdicts import CheckOutcome, CheckReport, Outcome, Verdict, Wording

WHOLE, PART, EQUAL, UNNAMED, CANCEL = "both named", "one named", "an equal rule named", "no name", "cancel out"


@dataclass
class Score:
    """What came of judging an exercise's own programs; every fault is a sentence for its author."""

    slug: str
    styles: Counter[bool] = field(default_factory=Counter)  # passed or not, over all seeds
    variants: Counter[bool] = field(default_factory=Counter)  # caught and named, or not
    pairs: Counter[str] = field(default_factory=Counter)
    kills: dict[str, int] = field(default_factory=dict)  # by call of a draw: how many variants answer it wrongly
    verdicts: dict[str, Verdict] = field(default_factory=dict)  # by variant, with the first seed
    signatures: set[str] = field(default_factory=set)  # of the correct programs
    faults: list[str] = field(default_factory=list)

    @property
    def idle_probes(self) -> list[str]:
        """Return the calls on which no known-wrong program goes wrong."""
        return [name for name, killed in self.kills.items() if not killed]

    @property
    def messages(self) -> dict[str, CheckReport]:
        """Return a sample of each check that failed, by its id."""
        samples: dict[str, CheckReport] = {}
        for report in (each for verdict in self.verdicts.values() for each in verdict.checks):
            known = samples.get(report.check)
            # That a program stopped is the same sentence for every check.
            if report.got and (known is None or ("stopped" in known.got and "stopped" not in report.got)):
                samples[report.check] = report
        return samples


def score(bench: Bench, *, seeds: Iterable[int], pairs: int) -> Score:
    """Return the score of an exercise over these seeds, and over so many pairs of mistakes at random."""
    found, seeds = Score(bench.exercise.slug), list(seeds)
    for seed in seeds:
        for name, style in bench.styles.items():
            verdict = _judged(bench, style, seed)
            is_right = verdict.outcome is Outcome.RIGHT and not verdict.remarks
            found.styles[is_right] += 1
            found.signatures.add(verdict.behaviour_signature)
            if not is_right:
                said = " ".join((verdict.outcome.value, *verdict.remarks))
                found.faults.append(f"seed {seed}: the correct style {name} is {said}")
        for variant in bench.exercise.variants:
            if variant.is_costly:
                continue  # its values are right, and what it needs is measured in the sandbox only
            verdict = _judged(bench, bench.variants[variant.id], seed)
            found.verdicts.setdefault(variant.id, verdict)
            fault = _fault_of(bench, variant, verdict)
            found.variants[not fault] += 1
            if fault:
                found.faults.append(f"seed {seed}: {variant.id} {fault}")
    found.kills = _kills(bench, bench.draw(np.random.default_rng(seeds[0])))
    rules = pair_rules(bench)
    for number in range(pairs if rules else 0):
        rule = random.Random(f"{bench.exercise.slug} {number}").choice(rules)  # noqa: S311 (which is tried, no secret)
        result = _result_of_pair(bench, rule, seed=seeds[number % len(seeds)])
        found.pairs[result] += 1
        if result not in (WHOLE, PART, EQUAL, UNNAMED, CANCEL):
            one, other = rule.readings[0]
            found.faults.append(f"seed {seeds[number % len(seeds)]}: {one.id} with {other.id} {result}")
    return found


def _fault_of(bench: Bench, variant: WrongVariant, verdict: Verdict) -> str:
    """Return what is wrong in the verdict on a variant; "" where it is as its class and its texts say."""
    wanted = {Outcome.FRAGILE} if variant.is_fragile else {Outcome.WRONG, Outcome.ERROR}
    if verdict.outcome not in wanted:
        return f"is {verdict.outcome.value}"
    if variant.caught_by not in {each.check for each in verdict.checks if each.outcome is CheckOutcome.FAILS}:
        return f"is not caught by {variant.caught_by}"
    named = named_by(bench, verdict)
    if len(named) != 1 or named[0].id not in (variant.id, *variant.equals):
        said = verdict.diagnosis.sentence if verdict.diagnosis else "nothing was said"
        return f"is not named: {said}"
    return ""


def _result_of_pair(bench: Bench, rule: Rule, seed: int) -> str:
    """Return what became of two mistakes at once."""
    verdict = _judged(bench, rule.function, seed)
    draw = bench.draw(np.random.default_rng(seed))
    if verdict.outcome in (Outcome.RIGHT, Outcome.FRAGILE):
        return CANCEL if _alike(draw, rule.function, bench.reference) else "passes"
    named = named_by(bench, verdict)
    if not named:
        return UNNAMED
    own = {id_ for variant in rule.readings[0] for id_ in (variant.id, *variant.equals)}
    if all(variant.id in own for variant in named):
        return WHOLE if len(named) > 1 else PART
    families = [bench.switches[variant.id] for variant in named]
    assert bench.family is not None
    called = bench.family(**{name: value for switches in families for name, value in switches.items()})
    core_only = verdict.diagnosis is not None and "fails besides" in verdict.diagnosis.evidence
    if _alike(draw, rule.function, called, core_only=core_only):
        return EQUAL
    return "is called " + " and ".join(variant.id for variant in named)


def named_by(bench: Bench, verdict: Verdict) -> tuple[WrongVariant, ...]:
    """Return the variants that a diagnosis names; none where it names none."""
    diagnosis = verdict.diagnosis
    if diagnosis is None or diagnosis.wording is not Wording.EXACT:
        return ()
    for variant in bench.exercise.variants:
        if diagnosis.sentence in (ONE.format(variant.likeness), ONE_AND_ANOTHER.format(variant.likeness)):
            return (variant,)
    return next(
        two
        for two in permutations(bench.exercise.variants, 2)
        if diagnosis.sentence == TWO.format(two[0].likeness, two[1].likeness)
    )


def _alike(draw: Draw, one: Function, other: Function, *, core_only: bool = False) -> bool:
    """Say whether two programs answer alike to what is ordinary, or to the plainest of it."""
    return all(
        _is_near(answer_of(one, probe.call)[0], answer_of(other, probe.call)[0])
        for probe in draw.ordinary()
        if not (core_only and probe.call.is_further)
    )


def _is_near(one: object, other: object) -> bool:
    if not isinstance(one, np.ndarray) or not isinstance(other, np.ndarray):
        return one is other
    if one.shape != other.shape:
        return False
    return bool(np.allclose(one, other, rtol=FAR, atol=FAR, equal_nan=True))


def _kills(bench: Bench, draw: Draw) -> dict[str, int]:
    """Return for each call of a draw how many known-wrong programs answer it wrongly."""
    return {name: sum(_is_wrong(bench, draw, name, rule) for rule in bench.variants.values()) for name in draw.names}


def _is_wrong(bench: Bench, draw: Draw, name: str, function: Callable[..., object]) -> bool:
    probe = draw[name]
    answer, changed = answer_of(function, probe.call)
    if changed or answer is None or answer.shape != probe.expected.shape:
        return True
    return not compare(answer, probe.expected, bench.exercise.tolerance).holds


def _judged(bench: Bench, function: Function, seed: int) -> Verdict:
    opener = opener_of(bench.exercise.function, function)
    return judge(bench, "# a program of the course", seed=seed, opener=opener)


def as_lines(found: Score) -> Iterator[str]:
    """Return a score as lines to read."""
    yield f"{found.slug}"
    yield f"  correct programs passed       {found.styles[True]} of {found.styles.total()}"
    yield f"  wrong ones caught and named   {found.variants[True]} of {found.variants.total()}"
    if found.pairs:
        yield f"  pairs of mistakes             {found.pairs.total()}"
        for result, count in found.pairs.most_common():
            yield f"    {result:27} {count}"
    yield f"  calls that no wrong one fails {', '.join(found.idle_probes) or 'none'}"
    yield from (f"  FAULT {fault}" for fault in found.faults)
