"""What judging needs of a guest, and a guest for trusted programs that runs in the judge's own process.

The sandbox provides the guests in which learners' programs run. `open_trusted` runs programs of the course itself:
references and known-wrong variants, for authors and tests. It isolates nothing and must never be given anything else.
"""

import io
import resource
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, redirect_stderr, redirect_stdout
from functools import partial
from types import TracebackType
from typing import Any, Literal, Protocol, Self

import numpy as np

from grader.arguments import Plain
from grader.judge.arrays import Numbers, from_wire, to_wire
from grader.sandbox.limits import Limits
from grader.sandbox.replies import CallReply, Captured, Loaded, LoadReply, Missing, Raised, Returned, WrongType
from grader.sandbox.wire import Array, Layout

Argument = Array | Plain
Library = Literal["numpy", "pytorch"]


class Guest(Protocol):
    """A program that is called from outside."""

    is_apart: bool  # it has a process and libraries of its own, whose memory and formats can be told

    def load(self) -> LoadReply: ...

    def call(self, function: str, arguments: Sequence[Argument], *, wall_seconds: float | None = None) -> CallReply: ...

    def calls(self, function: str, arguments_of_each: Iterable[Sequence[Argument]]) -> Iterator[CallReply]: ...

    def output(self) -> Captured: ...

    def peak_bytes(self) -> int: ...

    def high_water_bytes(self) -> int: ...


class Opener(Protocol):
    """Opens a guest around a source; SandboxUnavailable where it cannot."""

    def __call__(
        self, *, source: str, filename: str, library: Library, limits: Limits, adapter: str = ""
    ) -> AbstractContextManager[Guest]: ...


class TrustedGuest:
    """A guest without isolation, for programs that are part of the course."""

    is_apart = False

    def __init__(self, source: str, filename: str, limits: Limits, *, form: str, adapter: str) -> None:
        self._source, self._filename, self._limits, self._form = source, filename, limits, form
        self._names: dict[str, Any] = {"__name__": "trusted"}
        self._adapted = adapted(adapter)
        self._printed = io.StringIO()

    def define(self, name: str, function: Callable[..., Any]) -> None:
        """Have a function that no source defines."""
        self._names[name] = function

    def load(self) -> LoadReply:
        started = time.monotonic()
        raised = self._run(lambda: exec(compile(self._source, self._filename, "exec"), self._names))[1]  # noqa: S102
        return raised or Loaded(time.monotonic() - started)

    def call(self, function: str, arguments: Sequence[Argument], *, wall_seconds: float | None = None) -> CallReply:
        """Call a function; `wall_seconds` is ignored, since nothing here can stop it."""
        del wall_seconds
        called = self._names.get(function)
        if not callable(called):
            return Missing(function, is_defined=function in self._names)
        given = [_laid_out(argument) if isinstance(argument, Array) else argument for argument in arguments]
        started = time.monotonic()
        value, raised = self._run(lambda: self._adapted(called)(*given))
        if raised:
            return raised
        outputs = value if isinstance(value, tuple) else (value,)
        for position, output in enumerate(outputs):
            if not isinstance(output, np.ndarray | np.generic | int | float | complex):
                return WrongType(type(output).__name__, position if isinstance(value, tuple) else None)
        return Returned(
            outputs=tuple(to_wire(np.asarray(output)) for output in outputs),
            forms=tuple(self._form if isinstance(output, np.ndarray) else "number" for output in outputs),
            is_tuple=isinstance(value, tuple),
            inputs_after=tuple(to_wire(argument) for argument in given if isinstance(argument, np.ndarray)),
            seconds=time.monotonic() - started,
        )

    def calls(self, function: str, arguments_of_each: Iterable[Sequence[Argument]]) -> Iterator[CallReply]:
        """Call a function with each of these in turn."""
        return (self.call(function, arguments) for arguments in arguments_of_each)

    def output(self) -> Captured:
        printed = self._printed.getvalue().encode(errors="replace")
        kept = self._limits.output_bytes
        return Captured(printed[:kept], len(printed) > kept, printed[kept:], len(printed))

    def peak_bytes(self) -> int:
        """Return what this whole process held at most, there being no other."""
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def high_water_bytes(self) -> int:
        """Return what this whole process held at most; it grows with what the judge holds as well."""
        return self.peak_bytes()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        return None

    def _run(self, program: Callable[[], Any]) -> tuple[Any, Raised | None]:
        try:
            with redirect_stdout(self._printed), redirect_stderr(self._printed), np.errstate(all="ignore"):
                return program(), None
        except Exception as error:  # the program's own failure is what is to be reported
            return None, self._raised(error)

    def _raised(self, error: Exception) -> Raised:
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == self._filename
        ]
        line = error.lineno if isinstance(error, SyntaxError) else (lines[-1] if lines else None)
        return Raised(type(error).__name__, str(error), line, is_out_of_memory=isinstance(error, MemoryError))


def opener_of(name: str, function: Callable[..., Any]) -> Opener:
    """Return what opens a guest around a function of the course that already takes what a call sends."""

    def opener(
        *, source: str, filename: str, library: Library, limits: Limits, adapter: str = ""
    ) -> AbstractContextManager[Guest]:
        del adapter
        guest = open_trusted(source=source, filename=filename, library=library, limits=limits)
        guest.define(name, function)
        return guest

    return opener


def open_trusted(*, source: str, filename: str, library: Library, limits: Limits, adapter: str = "") -> TrustedGuest:
    """Return a guest for a program of the course; it has NumPy alone, whose arrays stand for tensors too."""
    form = "tensor" if library == "pytorch" else "ndarray"
    return TrustedGuest(source, filename, limits, form=form, adapter=adapter)


def adapted(adapter: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return what turns a program's function into one that takes what a call sends; `adapter` may be empty."""
    if not adapter:
        return lambda function: function
    names: dict[str, Any] = {"__name__": "adapter"}
    exec(compile(adapter, "adapter", "exec"), names)  # noqa: S102 (part of the exercise)
    return lambda function: partial(names["call"], function)


def _laid_out(argument: Array) -> Numbers:
    """Return a writable array in the memory layout that the call asks for."""
    plain = np.array(from_wire(argument))
    if argument.layout is Layout.FORTRAN:
        return np.asfortranarray(plain)
    if argument.layout is Layout.STRIDED and plain.ndim:
        longer = np.zeros((*plain.shape[:-1], 2 * plain.shape[-1]), dtype=plain.dtype)
        longer[..., ::2] = plain
        return longer[..., ::2]
    return plain
