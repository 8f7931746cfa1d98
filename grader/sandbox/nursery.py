"""A zygote and the guests that are kept ready: who asks for a guest gets one that is warm already.

Owns when to fork and when a zygote is replaced: when it has died, has grown, or has served its time; the new one is
ready before the old one goes. One thread, no clock of its own: whoever owns a nursery lets it attend to what its
descriptors say. It must not know who asks.
"""

import functools
import importlib.metadata
import logging
import os
import select
import time
from collections import deque
from collections.abc import Sequence
from typing import Literal

from grader.sandbox.cell import Cell
from grader.sandbox.devices import Device
from grader.sandbox.replies import SandboxUnavailable, ZygoteGone
from grader.sandbox.rungs import Rung
from grader.sandbox.zygote import Zygote

Library = Literal["numpy", "pytorch"]

FORKS_PER_ZYGOTE = 2000  # after which it is replaced, before anything that leaks slowly matters
GROWTH_BYTES = 64 << 20  # by which a zygote may grow; measured after 2,000 guests it had not grown at all
START_SECONDS = 60.0  # `import torch` takes 2 s on an idle core, and a disk may be cold
TAKE_SECONDS = 60.0  # for a guest to be ready: a zygote may have to be started first
_PAUSES_SECONDS = (0.0, 1.0, 5.0, 30.0)  # before a zygote is tried again after so many failures in a row
_CHECK_EVERY = 64  # forks between two looks at a zygote's size
_LONGEST_WAIT_SECONDS = 1.0  # between two looks at what no descriptor tells
# A guest that is taken when none was lately is at work for some ten milliseconds. A fork would take caches and the
# other core from it and its judge, and another one waits already; in a crowd there is no quiet moment to wait for.
_LATELY_SECONDS, _UNDISTURBED_SECONDS = 0.05, 0.015

logger = logging.getLogger(__name__)


class Nursery:
    """Keeps guests ready. After any change, `descriptors` says what to wait for and `attend` does what is due."""

    def __init__(
        self, *, uid: int, libraries: Sequence[Library], rung: Rung = Rung.BUBBLEWRAP, device: Device = Device.CPU
    ) -> None:
        self._uid, self._libraries, self._rung, self._device = uid, libraries, rung, device
        self._zygote: Zygote | None = None
        self._coming_zygote: Zygote | None = None
        self._retired: list[Zygote] = []
        self._ready: deque[Cell] = deque()
        self._coming: dict[int, tuple[Cell, float]] = {}  # by the descriptor of the leash: a guest and its latest birth
        self._popped_at = self._fork_at = 0.0
        self._size_at_first = 0
        self._failures, self._try_at, self._start_by = 0, 0.0, 0.0
        self.reason = ""  # why there is no zygote now

    def take(self, seconds: float = TAKE_SECONDS) -> Cell:
        """Return a guest that is ready; SandboxUnavailable, with the reason, if there is none so soon."""
        deadline = time.monotonic() + seconds
        while True:
            self.attend()
            cell = self.pop()
            if cell is not None:
                self.attend()  # the next one is forked while this one works
                return cell
            if self.reason:
                raise SandboxUnavailable(self.reason)
            left = deadline - time.monotonic()
            if left <= 0:
                raise SandboxUnavailable(f"no guest was ready within {seconds:g} s")
            poll = select.poll()
            for descriptor in self.descriptors():
                poll.register(descriptor, select.POLLIN)
            poll.poll(min(left, 1.0) * 1000)

    def pop(self) -> Cell | None:
        """Return a ready guest at once, if there is one."""
        while self._ready:
            cell = self._ready.popleft()
            if not _is_readable(cell.leash.fileno()):
                now = time.monotonic()
                self._fork_at = now + _UNDISTURBED_SECONDS if now - self._popped_at > _LATELY_SECONDS else now
                self._popped_at = now
                return cell
            cell.discard()  # nothing is said by a guest that waits, but that it has ended
        return None

    def descriptors(self) -> list[int]:
        """Return what to wait for."""
        zygotes = (self._zygote, self._coming_zygote)
        return [zygote.control.fileno() for zygote in zygotes if zygote is not None] + list(self._coming)

    @property
    def is_full(self) -> bool:
        """Whether as many guests are ready as are kept."""
        return len(self._ready) == self._device.kept_ready

    def due_seconds(self) -> float:
        """Return how soon there may be something to do that no descriptor tells, such as a zygote to be tried again."""
        left = self._fork_at - time.monotonic()
        return min(left, _LONGEST_WAIT_SECONDS) if left > 0 else _LONGEST_WAIT_SECONDS

    def attend(self) -> None:
        """Do what is due: births, deaths, the next zygote, the next forks. Never waits."""
        self._bury_retired()
        self._look_after_zygotes()
        self._receive_births()
        self._fork()

    def close(self) -> None:
        """End everything."""
        self._lose_zygote()
        for zygote in (self._coming_zygote, *self._retired):
            if zygote is not None:
                zygote.close()
        self._coming_zygote = None
        self._retired.clear()

    @property
    def zygote_pid(self) -> int:
        """The process that forks now, 0 if there is none; for logs and tests."""
        return self._zygote.pid if self._zygote is not None else 0

    def _look_after_zygotes(self) -> None:
        now = time.monotonic()
        if self._zygote is not None and _is_readable(self._zygote.control.fileno()):
            logger.warning("a zygote ended by itself after %d guests", self._zygote.forked)
            self._lose_zygote()
        if self._coming_zygote is None and self._wants_zygote() and now >= self._try_at:
            self._begin_zygote(now)
        if self._coming_zygote is not None:
            self._greet_zygote(self._coming_zygote, now)

    def _wants_zygote(self) -> bool:
        current = self._zygote
        if current is None or current.forked >= FORKS_PER_ZYGOTE:
            return True
        is_due = current.forked and current.forked % _CHECK_EVERY == 0
        return bool(is_due) and current.resident_bytes() > self._size_at_first + GROWTH_BYTES

    def _begin_zygote(self, now: float) -> None:
        try:
            self._coming_zygote = Zygote.begin(
                uid=self._uid, libraries=self._libraries, rung=self._rung, device=self._device
            )
            self._start_by = now + START_SECONDS
        except SandboxUnavailable as unavailable:
            self._fail(unavailable.reason, now)

    def _greet_zygote(self, coming: Zygote, now: float) -> None:
        if _is_readable(coming.control.fileno()):
            try:
                coming.receive_ready()
            except SandboxUnavailable as unavailable:
                self._fail(unavailable.reason, now)
            else:
                if self._zygote is not None:
                    self._drop_waiting()
                    self._zygote.retire()
                    self._retired.append(self._zygote)
                self._zygote, self._coming_zygote = coming, None
                self._size_at_first = coming.resident_bytes()
                self._failures, self.reason = 0, ""
        elif now >= self._start_by:
            self._fail(f"a zygote was not ready within {START_SECONDS:g} s", now)

    def _fail(self, reason: str, now: float) -> None:
        if self._coming_zygote is not None:
            self._coming_zygote.close()
            self._coming_zygote = None
        self._failures += 1
        self._try_at = now + _PAUSES_SECONDS[min(self._failures, len(_PAUSES_SECONDS) - 1)]
        self.reason = "" if self._zygote is not None else reason
        logger.error("no zygote: %s", reason)

    def _receive_births(self) -> None:
        now = time.monotonic()
        for descriptor, (cell, birth_by) in list(self._coming.items()):
            is_heard = _is_readable(descriptor)
            if is_heard and cell.receive_birth():
                del self._coming[descriptor]
                self._ready.append(cell)
            elif is_heard or now >= birth_by:
                # Whatever keeps this one from being born, a guest of another zygote may not have it.
                said = cell.printed_so_far() or f"it said nothing within {self._device.birth_seconds:g} s"
                self._lose_zygote()
                self._fail(f"a guest was not born: {said}", now)
                return

    def _fork(self) -> None:
        if self._ready and time.monotonic() < self._fork_at:
            return
        while self._zygote is not None and len(self._ready) + len(self._coming) < self._device.kept_ready:
            try:
                cell = self._zygote.fork()
            except ZygoteGone:
                return  # its control socket says so too, the next time
            self._coming[cell.leash.fileno()] = cell, time.monotonic() + self._device.birth_seconds

    def _lose_zygote(self) -> None:
        self._drop_waiting()
        if self._zygote is not None:
            self._zygote.close()
            self._zygote = None

    def _drop_waiting(self) -> None:
        for cell in (*self._ready, *(cell for cell, _ in self._coming.values())):
            cell.discard()
        self._ready.clear()
        self._coming.clear()

    def _bury_retired(self) -> None:
        for zygote in [each for each in self._retired if each.has_ended()]:
            zygote.forget()
            self._retired.remove(zygote)


def present_libraries() -> tuple[Library, ...]:
    """Return what is installed here wholly, found without importing it: only guests ever do."""
    try:
        # The installer writes this list last, so one that was interrupted left none.
        has_torch = importlib.metadata.distribution("torch").read_text("RECORD") is not None
    except importlib.metadata.PackageNotFoundError:
        has_torch = False
    return ("numpy", "pytorch") if has_torch else ("numpy",)


@functools.cache
def own_nursery(
    uid: int, libraries: tuple[Library, ...] | None = None, rung: Rung = Rung.BUBBLEWRAP, device: Device = Device.CPU
) -> Nursery:
    """Return this process's own nursery, for programs that judge without a supervisor; it ends with the process.

    It has every library that is present where none are named: found once, since that takes longer than a guest's birth.
    """
    return Nursery(uid=uid, libraries=libraries or present_libraries(), rung=rung, device=device)


def _is_readable(descriptor: int) -> bool:
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(0))


def _forget_own_nurseries() -> None:
    # A forked process must neither feed its parent's guests nor end them.
    own_nursery.cache_clear()


os.register_at_fork(after_in_child=_forget_own_nurseries)
