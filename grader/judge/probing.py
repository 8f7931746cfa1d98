"""Probes: the calls that an exercise makes, what the reference answers, and what came back from the guest.

An author writes `calls(random)` for one draw; the judge makes two independent draws, shuffles all calls into one order
and reads each check off what came back. A check that asks for an output which is not there yet, never came or has the
wrong shape stops by `Unmet`, so no check has to handle these cases itself.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from grader.exercises import Tolerance
from grader.judge.arrays import Floats, Numbers, from_wire, to_wire
from grader.judge.comparing import is_real, not_finite
from grader.judge.wording import in_words
from grader.sandbox.replies import CallReply, Died, Raised, Returned, WrongType
from grader.sandbox.wire import Array, Layout
from grader.verdicts import CheckOutcome


@dataclass(frozen=True)
class Call:
    """One call of the learner's function."""

    inputs: tuple[Floats, ...]
    tried_with: str  # "4 queries, 5 keys, width 6"; shown to the learner, so it must not give numbers away
    layout: Layout = Layout.PLAIN
    is_extreme: bool = False  # such as scores of a thousand: failing only here makes a program fragile, not wrong

    def arguments(self) -> tuple[Array, ...]:
        return tuple(to_wire(array, self.layout) for array in self.inputs)


class Unmet(Exception):
    """A check cannot be decided by its own rule, for a reason that is told instead."""

    def __init__(self, outcome: CheckOutcome, *, expected: str = "", got: str = "", tried_with: str = "") -> None:
        self.outcome, self.expected, self.got, self.tried_with = outcome, expected, got, tried_with
        super().__init__(got)


@dataclass
class Probe:
    """A call, the reference's answer to it, and the guest's reply once there is one."""

    call: Call
    expected: Floats
    reply: CallReply | None = None

    @property
    def tried_with(self) -> str:
        return f"{self.call.tried_with}, {self.call.inputs[0].dtype.name}"

    def returned(self) -> Returned:
        """Return the reply that holds outputs; Unmet if there is none."""
        if isinstance(self.reply, Returned):
            return self.reply
        if isinstance(self.reply, Raised):
            place = f" in line {self.reply.line}" if self.reply.line else ""
            got = f"stopped{place} with {self.reply.type_name[:60]}"
            raise Unmet(CheckOutcome.FAILS, expected="an answer", got=got, tried_with=self.tried_with)
        raise Unmet(CheckOutcome.NOT_REACHED)

    def has_answered(self) -> bool:
        return isinstance(self.reply, Returned | WrongType)

    def fault_of_form(self) -> tuple[str, str]:
        """Return what form the answer must have and what it has instead; two empty texts where it is right."""
        expected = f"one array of shape {in_words(self.expected.shape)}"
        if isinstance(self.reply, WrongType):
            got = self.reply.type_name[:60]
            return expected, "None: does every path end in a return?" if got == "NoneType" else f"a {got}"
        reply = self.returned()
        if reply.is_tuple or len(reply.outputs) != 1:
            return expected, f"a tuple of {len(reply.outputs)} values"
        if reply.forms[0] == "number" and self.expected.shape:
            return expected, "a single number"
        output = from_wire(reply.outputs[0])
        if output.shape != self.expected.shape:
            return expected, f"one of shape {in_words(output.shape)}"
        if not is_real(output):
            return "real numbers", f"numbers of type {output.dtype.name}"
        return "", ""

    def output(self) -> Numbers:
        """Return the output, which has the right shape and real numbers; Unmet otherwise."""
        expected, _ = self.fault_of_form()
        if expected:
            raise Unmet(CheckOutcome.NOT_REACHED)
        return from_wire(self.returned().outputs[0])

    def finite_output(self) -> Numbers:
        """Return the output, all of whose numbers are finite; Unmet otherwise."""
        output = self.output()
        if fault := not_finite(output):
            raise Unmet(CheckOutcome.FAILS, expected="finite numbers", got=fault, tried_with=self.tried_with)
        return output

    def changed_inputs(self) -> list[int]:
        """Return the positions of the arguments that the call changed."""
        after = self.returned().inputs_after
        sent = self.call.arguments()
        return [
            position
            for position, array in enumerate(sent)
            if position >= len(after) or (after[position].shape, after[position].data) != (array.shape, array.data)
        ]


class Draw:
    """The probes of one random draw, by the names that the exercise gives them."""

    def __init__(self, probes: Mapping[str, Probe], tolerance: Tolerance) -> None:
        self._probes = dict(probes)
        self.tolerance = tolerance

    def __getitem__(self, name: str) -> Probe:
        return self._probes[name]

    def __iter__(self) -> Iterator[Probe]:
        return iter(self._probes.values())

    def ordinary(self) -> list[Probe]:
        return [probe for probe in self if not probe.call.is_extreme]

    @property
    def has_died(self) -> bool:
        return any(isinstance(probe.reply, Died) for probe in self)


def distinct_sizes(random: np.random.Generator, count: int) -> list[int]:
    """Return different sizes from 3 to 8, so that no two axes can be exchanged unnoticed.

    Source:  probes of width 2 or less, or with equal sizes, let most known-wrong attention programs pass
    """
    return [int(size) for size in random.permutation(np.arange(3, 9))[:count]]
