"""Cost as a lesson: memory and time of a right program as its input grows, beside the course's own, judged by growth.

Each length is measured in a fresh guest, from outside: the kernel's account of the most memory that its process ever
held, after the call less before it. A small call comes first, so that what the library prepares for itself does not
count. Time is shown and never judged, because the machine is shared; a program that is too slow for the greatest length
is judged by those before it.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace

import numpy as np

from grader.costs import Cost
from grader.judge.arrays import from_wire
from grader.judge.comparing import compare, is_real
from grader.judge.cost_rules import CHECK, CostRule
from grader.judge.folders import Bench, blaming_the_author
from grader.judge.guests import Guest
from grader.judge.probing import Call
from grader.judge.stages import check_of, is_reached, with_report
from grader.judge.wording import mebibytes
from grader.sandbox.replies import Cause, Died, Raised, Returned
from grader.verdicts import CheckOutcome, CheckReport, Diagnosis, Verdict, Wording

# Several times what the slowest right program of the course takes at the greatest length on a busy machine.
CALL_SECONDS = 20.0
SMALL = 64  # the length of the first call, which nobody measures
# Whoever is too slow for the greatest length takes one small step after another, and leaves no noise of large arrays
# behind; so half of what the known costly program grows by tells the two apart.
SLOW_SHARE = 0.5
SEED = 8_128  # the contents of what is measured change nothing about its cost

Open = Callable[[str], AbstractContextManager[Guest]]

_known: dict[str, tuple["Figure", ...]] = {}  # of the course's own programs, by the digest of their exercise


@dataclass(frozen=True)
class Figure:
    """What one call of one length took."""

    memory_bytes: int
    seconds: float


class Stopped(Exception):
    """A call of one length did not come to its end; in words for the learner."""


class TooSlow(Stopped):
    """There was no end to be seen."""


def with_cost(bench: Bench, verdict: Verdict, source: str, open_guest: Open) -> Verdict:
    """Return a verdict with the check of cost decided: measured where everything else that counts is right."""
    rule = bench.cost
    if rule is None or not verdict.checks:
        return verdict
    check = check_of(bench, CHECK)
    report = CheckReport(CHECK, check.title, CheckOutcome.NOT_REACHED)
    if not is_reached(verdict):
        return with_report(bench, verdict, report)
    theirs, stopped = _figures(bench, rule, source, open_guest)
    if theirs is None:  # nothing can be told of it, and that is never the learner's loss
        return with_report(bench, verdict, replace(report, outcome=CheckOutcome.HOLDS))
    if bench.exercise.digest not in _known:
        own, reason = _figures(bench, rule, rule.frugal, open_guest)
        with blaming_the_author(f"{bench.exercise.slug}/frugal.py"):
            if own is None or reason:
                raise ValueError(str(reason or "could not be measured"))
        _known[bench.exercise.digest] = own
    own = _known[bench.exercise.digest]
    cost = Cost(
        counted=rule.counted,
        lengths=rule.lengths,
        memory_bytes=tuple(figure.memory_bytes for figure in theirs),
        seconds=tuple(figure.seconds for figure in theirs),
        reference_bytes=tuple(figure.memory_bytes for figure in own),
        reference_seconds=tuple(figure.seconds for figure in own),
    )
    lengths, allowed = rule.lengths, max(rule.times * _growth(cost.reference_bytes), rule.least_bytes)
    if isinstance(stopped, TooSlow) and len(theirs) > 1:
        lengths, stopped = lengths[: len(theirs)], None
        allowed = _growth(tuple(map(rule.costly_bytes, lengths))) * SLOW_SHARE
    grown = _growth(cost.memory_bytes)
    if not stopped and grown <= allowed:
        return replace(with_report(bench, verdict, replace(report, outcome=CheckOutcome.HOLDS)), cost=cost)
    before, last = lengths[-2:]
    report = replace(
        report,
        outcome=CheckOutcome.FAILS,
        expected=f"at most {mebibytes(int(allowed))} MB more at the second length",
        got=str(stopped or f"{mebibytes(grown)} MB more"),
        tried_with=f"{before:,} and {last:,} {rule.counted}",
        hint=check.hint,
    )
    diagnosis = _known_costly(bench, cost) or verdict.diagnosis
    return replace(with_report(bench, verdict, report), cost=cost, diagnosis=diagnosis)


def _known_costly(bench: Bench, cost: Cost) -> Diagnosis | None:
    """Return the name of the known costly program where this one grows at least as fast, by what it must hold."""
    rule = bench.cost
    variant = next((variant for variant in bench.exercise.variants if variant.is_costly), None)
    if rule is None or variant is None or len(cost.memory_bytes) < len(cost.lengths):
        return None
    before, last = cost.lengths[-2:]
    grown, needed = _growth(cost.memory_bytes), rule.costly_bytes(last) - rule.costly_bytes(before)
    if grown < needed:
        return None
    return Diagnosis(
        wording=Wording.EXACT,
        misconception=variant.belief,
        sentence=f"Its memory grows like that of {variant.likeness}.",
        detail=variant.detail,
        evidence=(
            f"From {before:,} to {last:,} {cost.counted} your program took {mebibytes(grown)} MB more; such a program "
            f"takes at least {mebibytes(needed)} MB more, ours took {mebibytes(_growth(cost.reference_bytes))} MB."
        ),
    )


def _growth(sizes: tuple[int, ...]) -> int:
    return sizes[-1] - sizes[-2] if len(sizes) > 1 else 0


def _figures(
    bench: Bench, rule: CostRule, source: str, open_guest: Open
) -> tuple[tuple[Figure, ...] | None, Stopped | None]:
    """Return the figures of one program and why it was stopped, if so; None where nothing can be measured."""
    figures: list[Figure] = []
    for length in rule.lengths:
        with open_guest(source) as guest:
            try:
                figure = _figure(bench, rule, guest, length)
            except Stopped as stopped:
                return tuple(figures), stopped
        if figure is None:
            return None, None
        figures.append(figure)
    return tuple(figures), None


def _is_right(bench: Bench, rule: CostRule, call: Call, reply: Returned) -> bool:
    """Say whether an answer is right in a few places: a program that saves its work has saved nothing."""
    with blaming_the_author(f"{bench.exercise.slug}/cost.py"):
        places, expected = rule.spots(call)
    output = from_wire(reply.outputs[0])
    try:
        found = output[places]
    except IndexError:
        return False
    return found.shape == expected.shape and is_real(found) and compare(found, expected, bench.exercise.tolerance).holds


def _figure(bench: Bench, rule: CostRule, guest: Guest, length: int) -> Figure | None:
    if not guest.is_apart:
        return None
    small, whole = (rule.call(np.random.default_rng(SEED), each) for each in (SMALL, length))
    guest.call(bench.exercise.function, small.arguments())
    before = guest.high_water_bytes()
    reply = guest.call(bench.exercise.function, whole.arguments(), wall_seconds=CALL_SECONDS)
    at = f"at {length:,} {rule.counted}"
    if isinstance(reply, Returned):
        figure = Figure(max(0, guest.high_water_bytes() - before), reply.seconds)
        if not _is_right(bench, rule, whole, reply):
            raise Stopped(f"another answer than before {at}")
        return figure
    if isinstance(reply, Died) and reply.cause is Cause.TIME:
        raise TooSlow(f"still running after {CALL_SECONDS:g} s {at}")
    if (isinstance(reply, Died) and reply.cause is Cause.MEMORY) or (
        isinstance(reply, Raised) and reply.is_out_of_memory
    ):
        raise Stopped(f"out of memory {at}")
    raise Stopped(f"no answer {at}")
