"""What a guest's answers can be, as the judge sees them. Values only: nothing here reads, runs or decides.

Whatever a guest says here is a claim. Only the bytes of its outputs are compared; type names, messages and line numbers
explain a fault to the learner, and a guest that lies about them fools nobody else.
"""

import enum
from dataclasses import dataclass, field

from grader.sandbox.wire import Array


class Cause(enum.Enum):
    """Why a guest is dead."""

    TIME = "time"  # the judge's clock or the processor limit ran out
    MEMORY = "memory"  # the kernel killed it for memory; a MemoryError that it lived through is Raised
    OUTPUT = "output"  # it printed or returned more than it may
    CRASH = "crash"  # a signal that was none of the above
    EXIT = "exit"  # it left by itself, as os._exit does
    PROTOCOL = "protocol"  # it wrote something that is no answer to the call


@dataclass(frozen=True)
class Loaded:
    """The learner's module ran to its end."""

    seconds: float  # by the judge's clock


@dataclass(frozen=True)
class Returned:
    """The function returned arrays, numbers, or a tuple of them."""

    outputs: tuple[Array, ...]
    forms: tuple[str, ...]  # of each output: "ndarray", "tensor" or "number"
    is_tuple: bool  # whether the function returned a tuple, even one of length 1
    inputs_after: tuple[Array, ...]  # the array arguments as the call left them
    seconds: float  # by the judge's clock


@dataclass(frozen=True)
class Raised:
    """The learner's code raised; the guest lives on and may be called again."""

    type_name: str
    message: str
    line: int | None  # the innermost line of the learner's own file, if the traceback passes through it
    is_out_of_memory: bool  # a MemoryError, or PyTorch's allocator saying the same


@dataclass(frozen=True)
class Missing:
    """The learner's module defines no such function. `is_defined` is true when the name holds something else."""

    function: str
    is_defined: bool


@dataclass(frozen=True)
class WrongType:
    """The function returned something that is neither an array, a number, nor a tuple of these."""

    type_name: str  # such as "list" or "NoneType"
    position: int | None  # inside the returned tuple


@dataclass(frozen=True)
class Died:
    """The guest is gone, and every later call answers with this same value."""

    cause: Cause
    detail: str  # for logs and tests, not for learners
    signal: int | None = None
    exit_code: int | None = None
    # By the judge's clock: how long it had been at the request, or at all of them where that is what ran out.
    seconds: float = field(default=0.0, compare=False)
    is_all_calls: bool = False  # the time for all calls together ran out, not the one call's
    is_result: bool = False  # what was too much was returned, not printed


LoadReply = Loaded | Raised | Died
CallReply = Returned | Raised | Missing | WrongType | Died


@dataclass(frozen=True)
class Captured:
    """What the guest printed, standard output and error in the order they came."""

    head: bytes
    is_cut: bool  # more was printed than the head holds
    tail: bytes = b""  # the end of what followed the head
    all_bytes: int = 0  # printed, kept or not


class SandboxUnavailable(Exception):
    """No learner code may run here, for a reason that an operator can act on."""

    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


class ZygoteGone(SandboxUnavailable):
    """The process that guests are forked from ended, and its guests with it; another guest may do."""
