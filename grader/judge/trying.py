"""Trying a program: all calls of one grading, made one after another in an order that no program can foresee.

Owns which calls are made and keeps the replies. It decides nothing about them.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grader.arguments import Example
from grader.judge.arrays import from_wire
from grader.judge.folders import Bench, as_inputs
from grader.judge.guests import Guest
from grader.judge.probing import Call, Draw, Probe
from grader.judge.proposing import fixed_draw
from grader.sandbox.replies import CallReply, Died, Missing, Raised, Returned

SIGNATURE_DECIMALS = 4  # rounding noise of float64 and float32 stays far below


@dataclass(frozen=True)
class Trial:
    """The calls of one grading, with their replies once they are made."""

    examples: tuple[tuple[Example, Probe], ...]
    draws: tuple[Draw, ...]  # none for a run of the examples
    fixed_draw: Draw | None
    order: tuple[Probe, ...]  # of the draws' calls

    @property
    def probes(self) -> tuple[Probe, ...]:
        """Every call in the order in which it is made."""
        return tuple(probe for _, probe in self.examples) + self.order

    @property
    def replies(self) -> list[CallReply]:
        return [probe.reply for probe in self.probes if probe.reply is not None]

    def first_raised(self) -> tuple[Probe, Raised] | None:
        for probe in self.probes:
            if isinstance(probe.reply, Raised):
                return probe, probe.reply
        return None

    def signature(self) -> str:
        """Return a digest of the behaviour on the fixed draw; "" where it was not tried."""
        if self.fixed_draw is None or any(probe.reply is None for probe in self.fixed_draw):
            return ""
        digest = hashlib.sha256()
        for probe in self.fixed_draw:
            digest.update(_trace(probe.reply))
        return digest.hexdigest()


def plan(bench: Bench, seed: int, *, examples_only: bool) -> Trial:
    """Return the calls to make: the visible examples first, then two independent draws and the fixed one, shuffled."""
    examples = tuple((example, _example_probe(bench, example)) for example in bench.exercise.examples)
    if examples_only:
        return Trial(examples, (), None, ())
    first, second, shuffling = np.random.SeedSequence(seed).spawn(3)
    draws = tuple(bench.draw(np.random.default_rng(sequence)) for sequence in (first, second))
    fixed = fixed_draw(bench)
    probes = [probe for draw in (*draws, fixed) for probe in draw]
    order = np.random.default_rng(shuffling).permutation(len(probes))
    return Trial(examples, draws, fixed, tuple(probes[int(position)] for position in order))


def make_calls(guest: Guest, trial: Trial, function: str, after_each: Callable[[], None]) -> None:
    """Make the calls until all are made, the guest is dead or the function turns out to be missing."""
    replies = guest.calls(function, (probe.call.arguments() for probe in trial.probes))
    for probe, reply in zip(trial.probes, replies, strict=False):  # fewer replies where the guest ends
        probe.reply = reply
        if isinstance(reply, Died | Missing):
            return
        after_each()


def _example_probe(bench: Bench, example: Example) -> Probe:
    return bench.probe(Call(as_inputs(example.inputs), f"the example “{example.title}”"))


def _trace(reply: CallReply | None) -> bytes:
    if not isinstance(reply, Returned):
        return type(reply).__name__.encode()
    trace = b"returned"
    for output in reply.outputs:
        values = from_wire(output)
        if values.dtype.kind in "fiub":
            # Adding 0.0 turns -0.0 into 0.0, which would otherwise be other bytes for the same number.
            values = np.round(values.astype(np.float64), SIGNATURE_DECIMALS) + 0.0
            values = np.where(np.isnan(values), np.nan, values)  # a NaN has many forms; a single number is no array
        trace += f"{values.shape}".encode() + values.tobytes()
    return trace
