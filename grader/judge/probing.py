"""Probes: the calls that an exercise makes, what the reference answers, and what came back from the guest.

An author writes `calls(random)` for one draw; the judge makes two independent draws, shuffles all calls into one order
and reads each check off what came back. A check that asks for an output which is not there yet, never came or has the
wrong shape stops by `Unmet`, so no check has to handle these cases itself.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from grader.arguments import Plain
from grader.exercises import Tolerance
from grader.judge.arrays import Floats, Numbers, from_wire, to_wire
from grader.judge.comparing import is_real, not_finite
from grader.judge.results_in_words import result_in_words, tuple_in_words
from grader.judge.wording import in_words
from grader.sandbox.replies import CallReply, Died, Raised, Returned, WrongType
from grader.sandbox.wire import Array, Layout
from grader.verdicts import CheckOutcome

Input = Floats | Plain
Form = Literal["ndarray", "tensor"]

_FORMS: dict[str, str] = {"ndarray": "array", "tensor": "tensor"}
_OTHER_FORMS = {"ndarray": "a NumPy array", "tensor": "a tensor", "number": "a single number"}


@dataclass(frozen=True)
class Call:
    """One call of the learner's function. Defaults may be left out at the end, as in the function's own signature."""

    inputs: tuple[Input, ...]  # arrays, and plain values such as the number of an axis
    tried_with: str  # "4 queries, 5 keys, width 6"; shown to the learner, so it must not give numbers away
    layout: Layout = Layout.PLAIN
    is_extreme: bool = False  # such as scores of a thousand: failing only here makes a program fragile, not wrong
    is_further: bool = False  # asks for more than the core, such as a window, without which a rule may show

    @property
    def arrays(self) -> tuple[Floats, ...]:
        return tuple(given for given in self.inputs if isinstance(given, np.ndarray))

    def arguments(self) -> tuple[Array | Plain, ...]:
        return self._arguments

    @cached_property  # sent once, and then compared with what came back by several checks
    def _arguments(self) -> tuple[Array | Plain, ...]:
        return tuple(to_wire(given, self.layout) if isinstance(given, np.ndarray) else given for given in self.inputs)

    def copies(self) -> tuple[Input, ...]:
        """Return the inputs for a function that may write into them."""
        return tuple(given.copy() if isinstance(given, np.ndarray) else given for given in self.inputs)


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
    form: Form = "ndarray"  # what a result must be
    reply: CallReply | None = None

    @property
    def tried_with(self) -> str:
        return ", ".join([self.call.tried_with, *(array.dtype.name for array in self.call.arrays[:1])])

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
        expected = f"one {_FORMS[self.form]} of shape {in_words(self.expected.shape)}"
        if isinstance(self.reply, WrongType):
            return expected, result_in_words(self.reply, _FORMS[self.form])
        reply = self.returned()
        if reply.is_tuple or len(reply.outputs) != 1:
            return expected, tuple_in_words(len(reply.outputs))
        if reply.forms[0] != self.form and self.expected.shape:
            return expected, _OTHER_FORMS[reply.forms[0]]
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

    def has_finite_number(self) -> bool:
        """Say whether some output holds a finite number."""
        outputs = (from_wire(output) for output in self.returned().outputs)
        return any(is_real(output) and np.isfinite(output).any() for output in outputs)

    def changed_inputs(self) -> list[int]:
        """Return the positions of the arguments that the call changed."""
        after = iter(self.returned().inputs_after)
        return [
            position
            for position, sent in enumerate(self.call.arguments())
            if isinstance(sent, Array) and not _is_same(sent, next(after, None))
        ]


class Draw:
    """The probes of one random draw, by the names that the exercise gives them."""

    def __init__(self, probes: Mapping[str, Probe], tolerance: Tolerance, arguments: Sequence[str]) -> None:
        self._probes = dict(probes)
        self.tolerance = tolerance
        self.arguments = tuple(arguments)  # their names, as the brief has them

    def __getitem__(self, name: str) -> Probe:
        return self._probes[name]

    def __iter__(self) -> Iterator[Probe]:
        return iter(self._probes.values())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._probes)

    def unmade(self) -> "Draw":
        """Return the same calls and what is right for them, with no replies yet."""
        unmade = {name: replace(probe, reply=None) for name, probe in self._probes.items()}
        return Draw(unmade, self.tolerance, self.arguments)

    def ordinary(self) -> list[Probe]:
        return [probe for probe in self if not probe.call.is_extreme]

    def extreme(self) -> list[Probe]:
        return [probe for probe in self if probe.call.is_extreme]

    @property
    def has_died(self) -> bool:
        return any(isinstance(probe.reply, Died) for probe in self)


def _is_same(sent: Array, after: Array | None) -> bool:
    return after is not None and (after.shape, after.data) == (sent.shape, sent.data)
