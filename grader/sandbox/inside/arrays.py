"""Arrays in a guest: made from the bytes of a request, and taken as bytes from exactly the libraries' own types.

Runs inside the sandbox. It must not know requests, nor what is called with the arrays.
"""

import ctypes
import struct
from typing import Any

from grader.sandbox.wire import ITEM_BYTES, Layout

NUMBER_FORMATS = {bool: ("bool", "<?"), int: ("int64", "<q"), float: ("float64", "<d"), complex: ("complex128", "<dd")}

CPU = "cpu"

Taken = tuple[str, str, tuple[int, ...], bytes]  # form, dtype, shape, bytes


def as_it_is(model: Any = None, **_options: Any) -> Any:
    """Return what was to be compiled, or a decorator that does: it computes the same as it stands."""
    return (lambda decorated: decorated) if model is None else model


def is_wide(dtype: Any) -> bool:
    """Say whether NumPy's floats are wider than any that is sent, such as a long double; those are rounded."""
    return bool(dtype.kind == "f" and dtype.itemsize > 8)


def name_of(value: Any) -> str:
    """Return what a result is called that nobody here can take: its type, and what of it is out of the ordinary."""
    kind = type(value)
    if kind is type:  # a class may have a descriptor of each of these names
        return "type"
    dtype, device = getattr(value, "dtype", ""), str(getattr(value, "device", CPU))
    layout = str(getattr(value, "layout", "torch.strided")).removeprefix("torch.")
    name = kind.__name__ + (f" of {dtype}" if dtype != "" else "")
    name += "" if layout == "strided" else f" in the layout {layout}"
    return (name if device == CPU else f"{name} on {device}")[:200]


class NumpyArrays:
    """Makes NumPy arrays from bytes and takes bytes from exactly NumPy's own array and scalar types."""

    def __init__(self) -> None:
        import numpy

        self.numpy, self.array_type, self.scalar_type = numpy, numpy.ndarray, numpy.generic
        self.dtypes: dict[Any, tuple[str, str]] = {}

    def place(self) -> tuple[str, str]:
        return CPU, CPU

    def settle(self) -> None:
        """Return at once: nothing runs on when a function has returned."""

    def make(self, dtype: str, shape: tuple[int, ...], layout: int, read_only: int, data: bytes) -> Any:
        array = self.numpy.ndarray(shape, dtype, bytearray(data))
        if layout == Layout.STRIDED and shape:
            wide = self.numpy.zeros((*shape[:-1], 2 * shape[-1]), dtype)
            wide[..., ::2] = array
            array = wide[..., ::2]
        elif layout == Layout.FORTRAN and shape:  # which would give an array without axes one
            array = self.numpy.asfortranarray(array)
        if read_only:
            array.flags.writeable = False
        return array

    def size(self, value: Any) -> int | None:
        """Return how many bytes a value of these types takes, None for any other type."""
        # Exact types: a subclass could compute in a method that is called while its bytes are taken.
        is_scalar = isinstance(value, self.scalar_type) and type(value).__module__ == "numpy"
        if (type(value) is self.array_type or is_scalar) and self.sent_as(value.dtype)[0] in ITEM_BYTES:
            return int(value.nbytes)
        return None

    def take(self, value: Any) -> Taken:
        form = "ndarray" if type(value) is self.array_type else "number"
        name, other = self.sent_as(value.dtype)
        if other:
            value = value.astype(other)
        return form, name, value.shape, value.tobytes()

    def sent_as(self, dtype: Any) -> tuple[str, str]:
        """Return the name that numbers of a dtype are sent under, and what they become first; NumPy is slow to say."""
        found = self.dtypes.get(dtype)
        if found is None:
            turned = dtype.newbyteorder("<").str if dtype.str[0] == ">" else ""
            found = self.dtypes[dtype] = ("float64", "<f8") if is_wide(dtype) else (dtype.name, turned)
        return found


class TorchArrays:
    """Makes PyTorch tensors on a device from bytes and takes bytes from exactly torch.Tensor."""

    def __init__(self, device: str) -> None:
        import torch

        torch.set_num_threads(1)
        torch.compile = as_it_is  # its compiler is not here, and to look for one takes longer than a call may
        self.backends = torch.backends
        self.refuse_tf32()
        if device != CPU:
            # What a program makes without naming a device lands beside its inputs, as it does on the CPU.
            torch.set_default_device(device)
        self.torch, self.tensor_type, self.strided = torch, torch.Tensor, torch.strided
        self.device, self.devices, self.synchronize = device, {CPU, device}, torch.cuda.synchronize

    def place(self) -> tuple[str, str]:
        """Return what a new tensor really lies on, and the name of that."""
        kind = (self.torch.ones(1) + 1).device.type
        return kind, kind if kind == CPU else self.torch.cuda.get_device_name()

    def refuse_tf32(self) -> None:
        """Let products of float32 keep all of its digits: with TF32 a right program would seem wrong on a device."""
        self.backends.cuda.matmul.allow_tf32 = False
        self.backends.cudnn.allow_tf32 = False

    def settle(self) -> None:
        """Wait for what still runs on the device, on whatever stream: copying a tensor waits for one stream only."""
        self.refuse_tf32()  # a program may have turned it on, and the next call begins like the first
        if self.device != CPU:
            self.synchronize()

    def make(self, dtype: str, shape: tuple[int, ...], layout: int, _read_only: int, data: bytes) -> Any:
        tensor = self.torch.empty(shape, dtype=getattr(self.torch, dtype), device=CPU)
        ctypes.memmove(tensor.data_ptr(), data, len(data))
        tensor = tensor.to(self.device)
        if layout == Layout.STRIDED and shape:
            wide = self.torch.zeros((*shape[:-1], 2 * shape[-1]), dtype=tensor.dtype, device=self.device)
            wide[..., ::2] = tensor
            tensor = wide[..., ::2]
        elif layout == Layout.FORTRAN:
            backwards = tuple(reversed(range(tensor.dim())))
            tensor = tensor.permute(backwards).contiguous().permute(backwards)
        return tensor

    def size(self, value: Any) -> int | None:
        if (
            type(value) is not self.tensor_type
            or value.layout is not self.strided
            or value.device.type not in self.devices
        ):
            return None
        return value.numel() * value.element_size() if str(value.dtype).removeprefix("torch.") in ITEM_BYTES else None

    def take(self, value: Any) -> Taken:
        tensor = value.detach().resolve_conj().resolve_neg().cpu().contiguous()
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
