"""Proposing: the few rules that a program may follow, out of all that an exercise knows.

Every submission also meets one fixed draw. What each rule answers to it is worked out once for an exercise and kept, so
that a program's own answers find the nearest rules at once. Nothing is decided here: fresh inputs confirm a proposal or
reject it, and a program that has learnt the fixed draw by heart gains nothing.
"""

import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from grader.judge.arrays import Floats, Numbers, from_wire
from grader.judge.folders import Bench
from grader.judge.probing import Draw, Probe
from grader.judge.rules import Rule, answer_of, pair_rules, single_rules
from grader.sandbox.replies import Raised, Returned

# Every submission also meets one draw from this seed, so that programs which behave alike get the same signature. No
# check is read off it, so knowing it helps nobody.
_FIXED_SEED = 20_170_612
PROPOSED = 10  # more cost time; the nearest known rules of any program that follows one are far fewer
SAME = 1e-9  # between the marks of two rules that do the same; rounding leaves 1e-12

_VERSION = 1  # of what a mark is; other code must not read what was kept
_RAISED, _OTHER = -1e9, -2e9  # marks of answers that are not numbers; no sum of drawn numbers comes near them

logger = logging.getLogger(__name__)


def fixed_draw(bench: Bench) -> Draw:
    """Return the fixed draw of an exercise, to be made anew."""
    return _fixed(bench).unmade()


def propose(bench: Bench, fixed: Draw) -> list[Rule]:
    """Return the rules whose answers to the fixed draw are nearest to a program's, the nearest first."""
    rules, marks = _known(bench)
    if not rules:
        return []
    own = np.array([_mark_of_reply(probe) for probe in fixed])
    distances = _apart(marks, own).mean(axis=-1)
    return [rules[int(place)] for place in np.argsort(distances, kind="stable")[:PROPOSED]]


@lru_cache(maxsize=64)  # a bench for each exercise, and more of them than there are exercises only in tests
def _fixed(bench: Bench) -> Draw:
    return bench.draw(np.random.default_rng(_FIXED_SEED))


@lru_cache(maxsize=64)
def _known(bench: Bench) -> tuple[list[Rule], Floats]:
    """Return every distinct behaviour that an exercise knows, with its marks, one for each call of the fixed draw."""
    singles, pairs = single_rules(bench), pair_rules(bench)
    fixed = _fixed(bench)
    every = _kept(bench, [*singles, *pairs], fixed)
    ordinary = np.array([not probe.call.is_extreme for probe in fixed])
    right = np.array([_mark(probe.expected) for probe in fixed])
    rules, marks = list(singles), list(every[: len(singles)])
    behaviours_of_two: set[int] = set()  # their places among the rules
    for place, pair in enumerate(pairs, start=len(singles)):
        known = np.array([right, *marks])
        same = np.flatnonzero((_apart(known, every[place])[:, ordinary] <= SAME).all(axis=-1)) - 1
        group = next((int(rule) for rule in same if rule in behaviours_of_two), None)
        if group is not None:
            rules[group] = replace(rules[group], readings=(*rules[group].readings, *pair.readings))
        elif not len(same):  # else one mistake hides the other, or both cancel
            behaviours_of_two.add(len(rules))
            rules.append(pair)
            marks.append(every[place])
    return rules, np.array(marks)


def _kept(bench: Bench, rules: Sequence[Rule], fixed: Draw) -> Floats:
    """Return the marks of all rules, from the folder where they are kept if they are there."""
    shape = len(rules), len(list(fixed))
    path = bench.cache / f"{bench.exercise.digest}-{_VERSION}.npy" if bench.cache else None
    if path and path.exists():
        found = _read(path)
        if found is not None and found.shape == shape:
            return found
    marks = np.array([[_mark(answer_of(rule.function, probe.call)[0]) for probe in fixed] for rule in rules])
    marks = marks.reshape(shape)
    if path:
        _write(path, marks)
    return marks


def _read(path: Path) -> Floats | None:
    try:
        found: Floats = np.load(path, allow_pickle=False)
    except (OSError, ValueError) as error:
        logger.warning("%s cannot be read and is made anew: %s", path, error)
        return None
    return found


def _write(path: Path, marks: Floats) -> None:
    """Write what another judge may be reading; where that cannot be, it is worked out again after the next start."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_suffix(f".{os.getpid()}.unfinished.npy")
        np.save(unfinished, marks)
        unfinished.replace(path)
    except OSError as error:
        logger.warning("what known rules answer could not be kept: %s", error)


def _mark_of_reply(probe: Probe) -> float:
    if isinstance(probe.reply, Raised):
        return _RAISED
    if not isinstance(probe.reply, Returned) or len(probe.reply.outputs) != 1:
        return _OTHER
    output = from_wire(probe.reply.outputs[0])
    return _mark(output) if output.dtype.kind in "fiub" else _OTHER


def _mark(answer: Numbers | None) -> float:
    """Return one number for an answer: a fixed random combination of its numbers, and of what it is besides."""
    if answer is None:
        return _RAISED
    values = answer.astype(np.float64).ravel()
    is_finite = np.isfinite(values)
    factors = _factors(values.size)
    form = sum((place + 1) * 1000.0 * size for place, size in enumerate(answer.shape))
    return float((np.where(is_finite, values, 0.0) * factors).sum() + 100.0 * (~is_finite * factors).sum() + form)


@lru_cache(maxsize=256)
def _factors(count: int) -> Floats:
    return np.random.default_rng(_FIXED_SEED).uniform(1.0, 2.0, count)


def _apart(marks: Floats, own: Floats) -> Floats:
    """Return how far marks are from those of one rule, call by call: 0 for the same, 1 for anything far away."""
    scale = np.maximum(1.0, np.maximum(np.abs(marks), np.abs(own)))
    return np.minimum(1.0, np.abs(marks - own) / scale * 1e3)
