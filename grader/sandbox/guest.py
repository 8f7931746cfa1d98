"""The program inside the sandbox: imports the library, limits and seals itself, then runs a learner's module.

It imports nothing of ours, since nothing of ours is visible where it runs, and so repeats the layout that `wire.py`
owns. Once the learner's module has begun, nothing in this process can be trusted, this file's own functions included:
it answers with outputs, never with a judgement, and learns the inputs of one call only after it answered the last.
"""

import contextlib
import ctypes
import fcntl
import io
import json
import os
import resource
import signal
import struct
import sys
import types
from typing import Any, cast

SITE_PACKAGES = "/sandbox/site-packages"
REQUESTS, REPLIES = 3, 4

MESSAGE_HEAD = struct.Struct("<4sBBHIQ")
ARRAY_HEAD = struct.Struct("<4sBBBBQ8Q")
NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"
DTYPES = NAMES.split()  # the position is the code on the wire
NUMBER_FORMATS = {bool: ("bool", "<?"), int: ("int64", "<q"), float: ("float64", "<d"), complex: ("complex128", "<dd")}
READY, FAULT, LOADED, RETURNED, RAISED, MISSING, WRONG_TYPE, OVERSIZED = range(16, 24)
STRIDED, FORTRAN = 1, 2
MAX_ARRAYS = 64
MAX_MESSAGE_CHARACTERS = 2000  # of an exception; more would not be read

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC = 1, 1


Taken = tuple[str, str, tuple[int, ...], bytes]  # form, dtype, shape, bytes
Answer = tuple[int, dict[str, Any], list[Taken]]


class NotAnArray(Exception):
    """A result that has no bytes to send: the name of its type, and its position if it stood in a tuple."""


def receive() -> tuple[int, dict[str, Any], list[tuple[Any, ...]]]:
    """Return token, note and arrays (dtype, shape, layout, read-only, bytes) of the next request."""
    _, _, count, _, note_bytes, token = MESSAGE_HEAD.unpack(read(MESSAGE_HEAD.size))
    note = json.loads(read(note_bytes))
    arrays = []
    for _ in range(count):
        _, code, dimensions, layout, read_only, size, *extents = ARRAY_HEAD.unpack(read(ARRAY_HEAD.size))
        arrays.append((DTYPES[code], tuple(extents[:dimensions]), layout, read_only, read(size)))
    return token, note, arrays


def read(count: int) -> bytes:
    received = bytearray()
    while len(received) < count:
        chunk = os.read(REQUESTS, count - len(received))
        if not chunk:
            os._exit(0)  # the judge is done with this guest, or gone
        received += chunk
    return bytes(received)


def send(token: int, kind: int, note: dict[str, Any], arrays: list[Taken]) -> None:
    encoded = json.dumps(note).encode()
    parts = [MESSAGE_HEAD.pack(b"CWm1", kind, len(arrays), 0, len(encoded), token), encoded]
    for _, dtype, shape, data in arrays:
        extents = shape + (0,) * (8 - len(shape))
        parts += ARRAY_HEAD.pack(b"CWa1", DTYPES.index(dtype), len(shape), 0, 0, len(data), *extents), data
    left = memoryview(b"".join(parts))
    while left:
        left = left[os.write(REPLIES, left) :]


class NumpyArrays:
    """Makes NumPy arrays from bytes and takes bytes from exactly NumPy's own array and scalar types."""

    def __init__(self) -> None:
        import numpy

        self.numpy, self.array_type, self.scalar_type = numpy, numpy.ndarray, numpy.generic

    def make(self, dtype: str, shape: tuple[int, ...], layout: int, read_only: int, data: bytes) -> Any:
        array = self.numpy.frombuffer(bytearray(data), self.numpy.uint8).view(dtype).reshape(shape)
        if layout == STRIDED and shape:
            wide = self.numpy.zeros((*shape[:-1], 2 * shape[-1]), dtype)
            wide[..., ::2] = array
            array = wide[..., ::2]
        elif layout == FORTRAN and shape:  # which would give an array without axes one
            array = self.numpy.asfortranarray(array)
        array.flags.writeable = not read_only
        return array

    def size(self, value: Any) -> int | None:
        """Return how many bytes a value of these types takes, None for any other type."""
        # Exact types: a subclass could compute in a method that is called while its bytes are taken.
        is_scalar = isinstance(value, self.scalar_type) and type(value).__module__ == "numpy"
        if (type(value) is self.array_type or is_scalar) and value.dtype.name in DTYPES:
            return int(value.nbytes)
        return None

    def take(self, value: Any) -> Taken:
        data = value.astype(value.dtype.newbyteorder("<")).tobytes()
        return "ndarray" if type(value) is self.array_type else "number", value.dtype.name, value.shape, data


class TorchArrays:
    """Makes PyTorch tensors from bytes and takes bytes from exactly torch.Tensor."""

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)
        self.torch, self.tensor_type, self.strided = torch, torch.Tensor, torch.strided

    def make(self, dtype: str, shape: tuple[int, ...], layout: int, _read_only: int, data: bytes) -> Any:
        tensor = self.torch.empty(shape, dtype=getattr(self.torch, dtype))
        ctypes.memmove(tensor.data_ptr(), data, len(data))
        if layout == STRIDED and shape:
            wide = self.torch.zeros((*shape[:-1], 2 * shape[-1]), dtype=tensor.dtype)
            wide[..., ::2] = tensor
            tensor = wide[..., ::2]
        elif layout == FORTRAN:
            backwards = tuple(reversed(range(tensor.dim())))
            tensor = tensor.permute(backwards).contiguous().permute(backwards)
        return tensor

    def size(self, value: Any) -> int | None:
        if type(value) is not self.tensor_type or value.layout is not self.strided or value.device.type != "cpu":
            return None
        return value.numel() * value.element_size() if str(value.dtype).removeprefix("torch.") in DTYPES else None

    def take(self, value: Any) -> Taken:
        tensor = value.detach().resolve_conj().resolve_neg().contiguous()
        data = ctypes.string_at(tensor.data_ptr(), tensor.numel() * tensor.element_size()) if tensor.numel() else b""
        return "tensor", str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape), data


class Numbers:
    """Takes the bytes of Python's own numbers."""

    def size(self, value: Any) -> int | None:
        fits = type(value) is not int or -(2**63) <= value < 2**63
        return 16 if type(value) in NUMBER_FORMATS and fits else None

    def take(self, value: Any) -> Taken:
        dtype, layout = NUMBER_FORMATS[type(value)]
        parts = (value.real, value.imag) if type(value) is complex else (value,)
        return "number", dtype, (), struct.pack(layout, *parts)


class Guest:
    """The learner's module and what is needed to call it."""

    def __init__(self, library: str, result_bytes: int) -> None:
        self.makers: list[Any] = [TorchArrays(), NumpyArrays()] if library == "pytorch" else [NumpyArrays()]
        self.takers = [*self.makers, Numbers()]
        self.result_bytes = result_bytes
        self.filename = ""
        self.module = types.ModuleType("submission")
        self.printed = sys.stdout

    def serve(self) -> None:
        """Answer requests for ever; `read` leaves the process when there are no more."""
        while True:
            token, note, arrays = receive()
            try:
                answer = self.load(note, arrays) if "filename" in note else self.call(note, arrays)
            except NotAnArray as error:
                answer = WRONG_TYPE, {"type": error.args[0], "position": error.args[1]}, []
            except BaseException as error:  # SystemExit and KeyboardInterrupt are only exceptions of the learner's here
                answer = RAISED, self.describe(error), []
            with contextlib.suppress(OSError, ValueError):  # the learner may have closed it
                self.printed.flush()
            send(token, *answer)

    def load(self, note: dict[str, Any], arrays: list[tuple[Any, ...]]) -> Answer:
        self.filename = self.module.__file__ = note["filename"]
        sys.modules["submission"] = self.module  # dataclasses and typing look a class's module up here
        source = arrays[0][4].decode("utf-8", "surrogatepass")
        exec(compile(source, self.filename, "exec", dont_inherit=True), self.module.__dict__)  # noqa: S102
        return LOADED, {}, []

    def call(self, note: dict[str, Any], arrays: list[tuple[Any, ...]]) -> Answer:
        function = self.module.__dict__.get(note["function"])
        if not callable(function):
            return MISSING, {"is_defined": note["function"] in self.module.__dict__}, []
        given = [self.makers[0].make(*array) for array in arrays]
        arguments = [given[part["array"]] if "array" in part else part["value"] for part in note["arguments"]]

        result = function(*arguments)

        is_tuple = type(result) is tuple
        outputs = list(result) if is_tuple else [result]
        total = sum(self.taker(value, place if is_tuple else None)[1] for place, value in enumerate(outputs))
        if total > self.result_bytes or len(outputs) > MAX_ARRAYS // 2:
            return OVERSIZED, {"bytes": total, "count": len(outputs)}, []  # before any copy: a view may claim petabytes
        taken = [self.taker(value, None)[0].take(value) for value in outputs]
        # An input is sent back only where it changed; the judge keeps its own copy of the rest.
        changed = {}
        for index, (before, value) in enumerate(zip(arrays, given, strict=True)):
            after = self.makers[0].take(value)
            if after[1:] != (before[0], before[1], before[4]):
                changed[index] = after
        forms = [form for form, *_ in taken]
        reply = {"tuple": is_tuple, "forms": forms, "changed": list(changed)}
        return RETURNED, reply, [*taken, *changed.values()]

    def taker(self, value: Any, position: int | None) -> tuple[Any, int]:
        """Return who can take this value's bytes, and how many they are."""
        for taker in self.takers:
            size = taker.size(value)
            if size is not None:
                return taker, size
        dtype, device = getattr(value, "dtype", None), str(getattr(value, "device", "cpu"))
        name = type(value).__name__ + (f" of {dtype}" if dtype is not None else "")
        raise NotAnArray((name if device == "cpu" else f"{name} on {device}")[:200], position)

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


def take_pipes(requests: int, replies: int) -> None:
    """Move the two pipes to their places and close every other descriptor but the standard three."""
    moved = [fcntl.fcntl(fd, fcntl.F_DUPFD, 100) for fd in (requests, replies)]
    for place, fd in zip((REQUESTS, REPLIES), moved, strict=True):
        os.dup2(fd, place, inheritable=False)
    os.closerange(REPLIES + 1, 1 << 20)


def limit(limits: dict[str, int]) -> None:
    """Set this process's limits; the memory of the imported library is not counted against the learner."""
    with open("/proc/self/statm") as statm:  # noqa: PTH123 - pathlib is not needed for anything else here
        used_bytes = int(statm.read().split()[0]) * resource.getpagesize()
    spent = resource.getrusage(resource.RUSAGE_SELF)
    cpu_seconds = int(spent.ru_utime + spent.ru_stime) + 1 + limits["cpu_seconds"]
    values = {
        resource.RLIMIT_AS: used_bytes + limits["memory_bytes"],
        resource.RLIMIT_CPU: cpu_seconds,
        resource.RLIMIT_NPROC: limits["threads"],
        resource.RLIMIT_NOFILE: limits["open_files"],
        resource.RLIMIT_STACK: 8 << 20,
    }
    nothing = (resource.RLIMIT_FSIZE, resource.RLIMIT_CORE, resource.RLIMIT_MSGQUEUE, resource.RLIMIT_MEMLOCK)
    for name, value in (values | dict.fromkeys(nothing, 0)).items():
        resource.setrlimit(name, (value, value))


def seal(program: bytes, seccomp_number: int) -> None:
    """Put the system call filter on every thread of this process, for good."""

    libc = ctypes.CDLL(None, use_errno=True)
    instructions = ctypes.create_string_buffer(program, len(program))
    # struct sock_fprog: how many instructions of eight bytes, and where they are
    wanted = struct.pack("@HP", len(program) // 8, ctypes.addressof(instructions))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "no_new_privs was refused")
    if libc.syscall(seccomp_number, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, wanted) != 0:
        raise OSError(ctypes.get_errno(), "the system call filter was refused")


def main() -> None:
    take_pipes(int(sys.argv[1]), int(sys.argv[2]))
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)  # a second net: bubblewrap has asked for it too
    sys.argv[1:] = []
    sys.path.append(SITE_PACKAGES)
    token, note, arrays = receive()
    try:
        # Lines leave at once, so that a guest that is killed has shown what it printed.
        cast(io.TextIOWrapper, sys.stdout).reconfigure(line_buffering=True, errors="backslashreplace")
        guest = Guest(note["library"], note["limits"]["result_bytes"])
        limit(note["limits"])
        seal(arrays[0][4], note["seccomp_number"])
    except Exception as error:  # still trusted code: whatever fails here is the operator's to mend
        send(token, FAULT, {"reason": f"{type(error).__name__}: {error}"[:2000]}, [])
        os._exit(1)
    send(token, READY, {}, [])
    guest.serve()


if __name__ == "__main__":
    main()
