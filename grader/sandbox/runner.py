"""Guests: a learner's program in a sandbox of its own, loaded once, called many times, and never believed.

Owns the order of the talk and the clock. `open_guest` takes a forked process that has the libraries and lets it seal
itself; `load` hands it the source; `call` sends the inputs of one call, and never those of the next before the
answer came. What a learner's program does is a reply; an exception here is always the operator's to mend. This module
must not know exercises, references or verdicts.
"""

import secrets
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from grader.sandbox.cell import Cell, End
from grader.sandbox.channel import Channel, DeadlinePassed, Ended, Flooded
from grader.sandbox.devices import Device
from grader.sandbox.filters import guest_filter, syscall_number
from grader.sandbox.limits import Limits
from grader.sandbox.nursery import Library, own_nursery
from grader.sandbox.replies import CallReply, Captured, Cause, Died, LoadReply, Raised, SandboxUnavailable
from grader.sandbox.requests import Argument, Reply, Request, call_request, source_request
from grader.sandbox.wire import Array, Kind, Malformed, Message, TooLarge, pack, read_message

DEFAULT_SANDBOX_UID = 61000  # no account's, and below 61184 to 65519, which systemd lends to services
_PARTING_SECONDS = 0.5  # between the end of the reply pipe and the end of the guest, before it is killed

Take = Callable[[], Cell]


def open_guest(
    *,
    source: str,
    filename: str,
    library: Library,
    limits: Limits,
    adapter: str = "",
    take: Take | None = None,
    device: Device = Device.CPU,
) -> "Guest":
    """Return a guest that is warm and is about to seal itself; it is sent the source once it has said that it is.

    Sealing takes it a millisecond, which the caller may use: `load`, `call` and `device_name` wait for the rest of it.

    `adapter` is a source that runs in the guest too and stands between a call and the learner's function: its `call` is
    given the function and the arguments that were sent. `take` gives a cell with a waiting guest: a supervisor's, or
    this process's own nursery when there is none. This and what waits raise SandboxUnavailable when no guest can be
    had here, or none on this device; nothing that a learner wrote can be the reason.
    """
    cell = take() if take else own_nursery(DEFAULT_SANDBOX_UID).take()
    channel = Channel(
        requests=cell.ends.requests,
        replies=cell.ends.replies,
        printed=cell.ends.printed,
        kept_bytes=limits.output_bytes,
        flood_bytes=limits.flood_bytes,
    )
    guest = Guest(
        cell=cell, channel=channel, sources=(source, adapter), filename=filename, limits=limits, device=device
    )
    try:
        guest.prepare(library)
    except BaseException:
        guest.close()
        raise
    return guest


class Guest:
    """One sandboxed process and the conversation with it; close it, or use it in a `with` statement."""

    is_apart = True

    def __init__(
        self, *, cell: Cell, channel: Channel, sources: tuple[str, str], filename: str, limits: Limits, device: Device
    ) -> None:
        self._cell, self._channel, self._limits, self._device = cell, channel, limits, device
        self._sources, self._filename = sources, filename
        self._loaded: LoadReply | None = None
        self._died: Died | None = None
        self._captured: Captured | None = None
        self._total_deadline = 0.0
        self._warming_cpu_seconds = 0.0
        self._is_sealed, self._device_name = False, ""

    def prepare(self, library: str) -> None:
        """Have the guest limit and seal itself. Called once, by `open_guest`."""
        device = self._device
        program = guest_filter(device)
        limits = {
            name: getattr(self._limits, name)
            for name in ("cpu_seconds", "memory_bytes", "threads", "open_files", "result_bytes")
        }
        limits["threads"] += device.own_threads + self._cell.neighbours()
        limits["open_files"] += device.own_files
        setup = Message(
            kind=Kind.SETUP,
            token=secrets.randbits(64),
            note={"library": library, "limits": limits, "seccomp_number": syscall_number("seccomp")},
            arrays=(Array("uint8", (len(program),), program),),
        )
        self._channel.ask(pack(setup), deadline=time.monotonic() + self._limits.start_seconds)

    @property
    def device_name(self) -> str:
        """What the guest computes on; it has sealed itself when this is known."""
        self._await_seal()
        return self._device_name

    def _await_seal(self) -> None:
        if self._is_sealed:
            return
        try:
            answer = read_message(self._channel.read, byte_cap=0)
        except DeadlinePassed:
            raise SandboxUnavailable(f"a guest was not ready within {self._limits.start_seconds} s") from None
        except (Ended, Flooded, Malformed) as error:
            self._cell.wait(_PARTING_SECONDS)
            printed = self._channel.captured().head.decode(errors="replace").strip()
            raise SandboxUnavailable(f"a guest ended before it was ready: {printed or type(error).__name__}") from None
        if answer.kind is not Kind.READY:
            raise SandboxUnavailable(f"a guest could not make itself ready: {answer.note.get('reason')}")
        # Said before it has seen a byte of a learner's, so it can be believed.
        found, name = answer.note.get("device"), answer.note.get("device_name")
        if found != self._device.value:
            raise SandboxUnavailable(f"a guest computes on {found}, and {self._device.value} was asked for")
        self._warming_cpu_seconds = self._cell.cpu_seconds()
        self._is_sealed, self._device_name = True, str(name)

    @property
    def pid(self) -> int:
        """The guest's process id as the judge's machine knows it, for logs and measurements."""
        return self._cell.guest_pid

    def load(self) -> LoadReply:
        """Run the learner's module, the first time; later times repeat that reply."""
        if self._loaded is None and self._died is not None:
            return self._died  # closed before it was asked anything: its channel may be another's by now
        if self._loaded is None:
            self._await_seal()
            self._total_deadline = time.monotonic() + self._limits.total_seconds
            request = source_request(self._filename, *self._sources)
            self._loaded = next(self._ask([request], self._limits.wall_seconds))
        return self._loaded

    def call(self, function: str, arguments: Sequence[Argument], *, wall_seconds: float | None = None) -> CallReply:
        """Call a function of the learner's module, loading it first if need be.

        A module that raised while it was loaded answers every call with that same exception. `wall_seconds` stands in
        for the limit's own where one call needs another.
        """
        return next(self.calls(function, [arguments], wall_seconds=wall_seconds))

    def calls(
        self, function: str, arguments_of_each: Iterable[Sequence[Argument]], *, wall_seconds: float | None = None
    ) -> Iterator[CallReply]:
        """Call a function with each of these in turn, as `call` does, until they end or the guest is dead.

        A call is made when its reply is asked for; while the guest is at it, the next one is packed.
        """
        loaded = self.load()
        if isinstance(loaded, Raised | Died):
            return (loaded for _ in arguments_of_each)
        wall_seconds = self._limits.wall_seconds if wall_seconds is None else wall_seconds
        return self._ask((call_request(function, arguments) for arguments in arguments_of_each), wall_seconds)

    def output(self) -> Captured:
        """Return what the guest printed so far."""
        return self._captured or self._channel.captured()

    def cpu_seconds(self) -> float:
        """Return the processor time that the learner's code has used, by the kernel's account."""
        return max(0.0, self._cell.cpu_seconds() - self._warming_cpu_seconds)

    def high_water_bytes(self) -> int:
        """Return the most memory that the guest has held so far, as the kernel saw, while it goes on."""
        status = Path(f"/proc/{self.pid}/status").read_text(encoding="ascii", errors="replace")
        return next((int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:")), 0)

    def peak_bytes(self) -> int:
        """End the guest and return the most memory that it ever held at once, libraries included, as the kernel saw."""
        self._cell.kill()
        self._died = self._died or Died(Cause.EXIT, "the guest was ended to be measured")
        end = self._cell.wait(0)
        return end.peak_bytes if end else 0

    def close(self) -> None:
        """End the guest and all that it started; harmless when repeated."""
        if self._captured is None:
            try:
                self._cell.close()
            finally:
                self._captured = self._channel.captured()
                self._channel.close()
            self._died = self._died or Died(Cause.EXIT, "the guest was closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ask(self, requests: Iterable[Request[Reply]], wall_seconds: float) -> Iterator[Reply | Died]:
        """Send requests one after another, each when its reply is asked for; there is none after a guest's death."""
        if self._died is not None:
            yield self._died
        coming = iter(requests)
        request = next(coming, None)
        while request is not None and self._died is None:
            began = time.monotonic()
            self._channel.ask(request.packed, deadline=min(began + wall_seconds, self._total_deadline))
            following = next(coming, None)  # which packs it, while the guest is at work
            yield self._reply(request, wall_seconds, began)
            request = following

    def _reply(self, request: Request[Reply], wall_seconds: float, began: float) -> Reply | Died:
        """Return the reply to the request that was sent; a guest that fails to give one is killed at once."""
        try:
            # Inputs that changed come back too, and a program may have changed every one.
            answer = read_message(self._channel.read, byte_cap=self._limits.result_bytes + len(request.packed))
            seconds = time.monotonic() - began
            if answer.token != request.token:
                raise Malformed("answers another request")
            return request.read_answer(answer, seconds)
        except DeadlinePassed:
            is_all_calls = self._total_deadline < began + wall_seconds
            died = Died(Cause.TIME, "no answer in time", is_all_calls=is_all_calls)
        except Flooded:
            died = Died(Cause.OUTPUT, "printed without end")
        except TooLarge as error:
            died = Died(Cause.OUTPUT, str(error), is_result=True)
        except Malformed as error:
            died = Died(Cause.PROTOCOL, str(error))
        except Ended:
            died = self._explain(self._cell.wait(_PARTING_SECONDS))
        since = self._total_deadline - self._limits.total_seconds if died.is_all_calls else began
        self._died = replace(died, seconds=time.monotonic() - since)
        self._cell.kill()
        return self._died

    def _explain(self, end: End | None) -> Died:
        if end is None:
            return Died(Cause.PROTOCOL, "closed its reply pipe and ran on")
        if end.signal is None:
            return Died(Cause.EXIT, f"left with exit code {end.exit_code}", exit_code=end.exit_code)
        cause = Cause.CRASH
        if end.signal == signal.SIGKILL:
            # Two of the kernel's reasons to kill: the processor limit, which it enforces to the second, and memory.
            is_spent = self.cpu_seconds() >= self._limits.cpu_seconds - 1
            if is_spent:
                return Died(Cause.TIME, "used up its processor time", signal=end.signal, is_all_calls=True)
            cause = Cause.MEMORY
        return Died(cause, f"ended by signal {end.signal}", signal=end.signal)
