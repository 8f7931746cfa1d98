"""Guests: a learner's program in a process of its own, called from outside by arrays and a clock."""

from collections.abc import Sequence
from types import TracebackType
from typing import Literal

from grader.sandbox.limits import Limits
from grader.sandbox.replies import CallReply, Captured, LoadReply
from grader.sandbox.wire import Array

DEFAULT_SANDBOX_UID = 61234
Argument = Array | int | float | bool | str | None


def open_guest(
    *, source: str, filename: str, library: Literal["numpy", "pytorch"], limits: Limits, uid: int = DEFAULT_SANDBOX_UID
) -> "Guest":
    """Return a guest that has imported its library and no learner code yet; SandboxUnavailable if it cannot."""
    raise NotImplementedError


class Guest:
    def load(self) -> LoadReply:
        """Run the learner's module once; calls before it load it first."""
        raise NotImplementedError

    def call(self, function: str, arguments: Sequence[Argument], *, wall_seconds: float | None = None) -> CallReply:
        raise NotImplementedError

    def output(self) -> Captured:
        raise NotImplementedError

    def cpu_seconds(self) -> float:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> "Guest":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
