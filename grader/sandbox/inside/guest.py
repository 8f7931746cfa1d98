"""What runs in a guest: it limits and seals itself, then runs a learner's module and answers calls.

`zygote.py` forks it, with the libraries imported. Besides its neighbours in this folder it imports the layout of the
frames and nothing else of ours, since nothing else is visible where it runs. Once the learner's module has begun,
nothing in this process can be trusted, this file's own functions included: it answers with outputs, never with a
judgement, and learns the inputs of one call only after it answered the last.
"""

import contextlib
import ctypes
import functools
import io
import json
import linecache
import os
import resource
import struct
import sys
import types
from collections.abc import Callable
from typing import Any, cast

from grader.sandbox.inside.arrays import CPU, Numbers, NumpyArrays, Taken, TorchArrays, name_of
from grader.sandbox.inside.walls import libc
from grader.sandbox.wire import (
    ARRAY_HEAD,
    ARRAY_MAGIC,
    DTYPES,
    MAX_ARRAYS,
    MESSAGE_HEAD,
    MESSAGE_MAGIC,
    Kind,
    encode_note,
)

REQUESTS, REPLIES = 3, 4
PIECE_BYTES = 1 << 16  # a request in one piece: the filters look at every system call, and a call has a dozen parts
CODES = {name: code for code, (name, _) in enumerate(DTYPES)}

MAX_MESSAGE_CHARACTERS = 2000  # of an exception; more would not be read

PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 1, 1

Answer = tuple[Kind, dict[str, Any], list[Taken]]


class NotAnArray(Exception):
    """A result that has no bytes to send: the name of its type, and its position if it stood in a tuple."""


class Requests:
    """What the judge sends. It sends nothing before the last answer came, so that whatever lies there may be taken."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor, self.received, self.at = descriptor, b"", 0

    def receive(self) -> tuple[int, dict[str, Any], list[tuple[Any, ...]]]:
        """Return token, note and arrays (dtype, shape, layout, read-only, bytes) of the next request."""
        _, _, count, _, note_bytes, token = MESSAGE_HEAD.unpack(self.read(MESSAGE_HEAD.size))
        note = parsed(self.read(note_bytes))
        arrays = []
        for _ in range(count):
            _, code, dimensions, layout, read_only, size, *extents = ARRAY_HEAD.unpack(self.read(ARRAY_HEAD.size))
            arrays.append((DTYPES[code][0], tuple(extents[:dimensions]), layout, read_only, self.read(size)))
        return token, note, arrays

    def read(self, count: int) -> bytes:
        if len(self.received) - self.at < count:
            self.wait_for(count)
        taken = self.received[self.at : self.at + count]
        self.at += count
        return taken

    def wait_for(self, count: int) -> None:
        pieces, left = [self.received[self.at :]], count - len(self.received) + self.at
        while left > 0:
            piece = os.read(self.descriptor, PIECE_BYTES)
            if not piece:
                os._exit(0)  # the judge is done with this guest, or gone
            pieces.append(piece)
            left -= len(piece)
        self.received, self.at = b"".join(pieces), 0


@functools.lru_cache(maxsize=4)  # nearly every call of one function has the same note
def parsed(note: bytes) -> dict[str, Any]:
    return cast("dict[str, Any]", json.loads(note))


def packed(token: int, kind: Kind, note: dict[str, Any], arrays: list[Taken]) -> bytes:
    encoded = encode_note(note).encode()
    parts = [MESSAGE_HEAD.pack(MESSAGE_MAGIC, kind, len(arrays), 0, len(encoded), token), encoded]
    for _, dtype, shape, data in arrays:
        extents = shape + (0,) * (8 - len(shape))
        parts += ARRAY_HEAD.pack(ARRAY_MAGIC, CODES[dtype], len(shape), 0, 0, len(data), *extents), data
    return b"".join(parts)


def send(token: int, kind: Kind, note: dict[str, Any], arrays: list[Taken]) -> None:
    left = memoryview(packed(token, kind, note, arrays))
    while left:
        left = left[os.write(REPLIES, left) :]


class Guest:
    """The learner's module and what is needed to call it."""

    def __init__(self, library: str, result_bytes: int, device: str) -> None:
        self.makers: list[Any] = [TorchArrays(device), NumpyArrays()] if library == "pytorch" else [NumpyArrays()]
        self.takers = [*self.makers, Numbers()]
        self.result_bytes = result_bytes
        self.filename = ""
        self.module = types.ModuleType("submission")
        self.adapter: Any = None
        self.printed = sys.stdout

    def serve(self, requests: Requests) -> None:
        """Answer requests for ever; `read` leaves the process when there are no more."""
        while True:
            token, note, arrays = requests.receive()
            try:
                answer = self.load(note, arrays) if "filename" in note else self.call(note, arrays)
            except NotAnArray as error:
                answer = Kind.WRONG_TYPE, {"type": error.args[0], "position": error.args[1]}, []
            except BaseException as error:  # SystemExit and KeyboardInterrupt are only exceptions of the learner's here
                answer = Kind.RAISED, self.describe(error), []
            with contextlib.suppress(OSError, ValueError):  # the learner may have closed it
                self.printed.flush()
            send(token, *answer)

    def load(self, note: dict[str, Any], arrays: list[tuple[Any, ...]]) -> Answer:
        self.filename = self.module.__file__ = note["filename"]
        sys.modules["submission"] = self.module  # dataclasses and typing look a class's module up here
        source = arrays[0][4].decode("utf-8", "surrogatepass")
        # The file lies nowhere, and some decorators read the lines of what they decorate, as PyTorch's scripts do.
        linecache.cache[self.filename] = len(source), None, source.splitlines(keepends=True), self.filename
        exec(compile(source, self.filename, "exec", dont_inherit=True), self.module.__dict__)  # noqa: S102
        # The exercise's own source, sent by the host beside the learner's; it runs behind the same walls.
        for _, _, _, _, adapter in arrays[1:]:
            names: dict[str, Any] = {"__name__": "adapter"}
            exec(compile(adapter, "adapter", "exec", dont_inherit=True), names)  # noqa: S102
            self.adapter = names["call"]
        return Kind.LOADED, {}, []

    def call(self, note: dict[str, Any], arrays: list[tuple[Any, ...]]) -> Answer:
        function = self.module.__dict__.get(note["function"])
        if not callable(function):
            return Kind.MISSING, {"is_defined": note["function"] in self.module.__dict__}, []
        given = [self.makers[0].make(*array) for array in arrays]
        arguments = [given[part["array"]] if "array" in part else part["value"] for part in note["arguments"]]

        result = self.adapter(function, *arguments) if self.adapter else function(*arguments)

        self.makers[0].settle()
        is_tuple = type(result) is tuple
        outputs = list(result) if is_tuple else [result]
        total = sum(self.taker(value, place if is_tuple else None)[1] for place, value in enumerate(outputs))
        if total > self.result_bytes or len(outputs) > MAX_ARRAYS // 2:
            return (
                Kind.OVERSIZED,
                {"bytes": total, "count": len(outputs)},
                [],
            )  # before any copy: a view may claim petabytes
        taken = [self.taker(value, None)[0].take(value) for value in outputs]
        # An input is sent back only where it changed; the judge keeps its own copy of the rest.
        changed = {}
        for index, (before, value) in enumerate(zip(arrays, given, strict=True)):
            after = self.makers[0].take(value)
            if after[1:] != (before[0], before[1], before[4]):
                changed[index] = after
        forms = [form for form, *_ in taken]
        reply = {"tuple": is_tuple, "forms": forms, "changed": list(changed)}
        return Kind.RETURNED, reply, [*taken, *changed.values()]

    def taker(self, value: Any, position: int | None) -> tuple[Any, int]:
        """Return who can take this value's bytes, and how many they are."""
        for taker in self.takers:
            size = taker.size(value)
            if size is not None:
                return taker, size
        raise NotAnArray(name_of(value), position)

    def describe(self, error: BaseException) -> dict[str, Any]:
        """Return what the learner is told of an exception; its own code may raise again while it is asked."""
        try:
            name = "MemoryError" if isinstance(error, MemoryError) else type(error).__name__
            line, message, trace = None, str(error), error.__traceback__
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == self.filename:
                    line = trace.tb_lineno
                trace = trace.tb_next
            if isinstance(error, SyntaxError) and error.filename == self.filename:
                line, message = error.lineno, str(error.msg)
            is_out_of_memory = name == "MemoryError" or "can't allocate memory" in message  # the latter is PyTorch's
            message = message[:MAX_MESSAGE_CHARACTERS]
            return {"type": name[:200], "message": message, "line": line, "memory": is_out_of_memory}
        except BaseException:
            return {"type": "Exception", "message": "", "line": None, "memory": False}


def virtual_bytes() -> int:
    """Return how much memory this process has mapped, used or not."""
    return _pages(0) * resource.getpagesize()


def data_bytes() -> int:
    """Return how much memory this process may write to that is its own."""
    return _pages(5) * resource.getpagesize()


def _pages(column: int) -> int:
    with open("/proc/self/statm") as statm:  # noqa: PTH123 - pathlib is not needed for anything else here
        return int(statm.read().split()[column])


def limit(limits: dict[str, int], used_bytes: int, device: str) -> None:
    """Set this process's limits; `used_bytes` of memory were there before and are not counted against the learner."""
    # A driver reserves addresses for all of the device's memory and the machine's, hundreds of gigabytes that nobody
    # uses, so addresses cannot be limited beside one. Memory that is written to can; what is shared escapes that limit,
    # so a judge with a device needs one for its whole container.
    memory, used = (resource.RLIMIT_AS, used_bytes) if device == CPU else (resource.RLIMIT_DATA, data_bytes())
    spent = resource.getrusage(resource.RUSAGE_SELF)
    cpu_seconds = int(spent.ru_utime + spent.ru_stime) + 1 + limits["cpu_seconds"]
    values = {
        memory: used + limits["memory_bytes"],
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_NPROC: limits["threads"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_STACK: 8 << 20,
        resource.RLIMIT_FSIZE: 16 << 20,  # as large as the scratch folder
    }
    nothing = (resource.RLIMIT_CORE, resource.RLIMIT_MSGQUEUE, resource.RLIMIT_MEMLOCK)
    for name, value in (values | dict.fromkeys(nothing, 0)).items():
        resource.setrlimit(name, (value, value))


def seal(program: bytes, seccomp_number: int) -> None:
    """Put the system call filter on every thread of this process, for good."""
    instructions = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: how many instructions of eight bytes, and where they are
    wanted = struct.pack("@HP", len(program) // 8, ctypes.addressof(instructions))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    if libc.syscall(seccomp_number, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, wanted) != 0:
        raise OSError(ctypes.get_errno(), "the system call filter was refused")


def serve(used_bytes: int, device: str, place_in: Callable[[str], tuple[str, str]]) -> None:
    """Take the limits and the filter from the judge, then answer requests until there are no more.

    `place_in` says what a library's arrays really lie on, and the name of that; the library is warm then.
    """
    requests = Requests(REQUESTS)
    token, note, arrays = requests.receive()
    try:
        # Lines leave at once, so that a guest that is killed has shown what it printed.
        cast(io.TextIOWrapper, sys.stdout).reconfigure(line_buffering=True, errors="backslashreplace")
        learner = Guest(note["library"], note["limits"]["result_bytes"], device)
        limit(note["limits"], used_bytes, device)
        seal(arrays[0][4], note["seccomp_number"])
        found, name = place_in(note["library"])
    except Exception as error:  # still trusted code: whatever fails here is the operator's to mend
        send(token, Kind.FAULT, {"reason": f"{type(error).__name__}: {error}"[:2000]}, [])
        os._exit(1)
    send(token, Kind.READY, {"device": found, "device_name": name[:90]}, [])
    learner.serve(requests)
