"""NumPy arrays to and from the neutral arrays of the wire. Owns the conversion only; it judges nothing."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.sandbox.wire import Array, Layout

Numbers = NDArray[Any]
Floats = NDArray[np.float64]


def to_wire(array: Numbers, layout: Layout = Layout.PLAIN) -> Array:
    """Return the wire's form of an array; `layout` is how the guest is to lay it out in memory."""
    plain = np.ascontiguousarray(array)
    name, wanted = _known(plain.dtype)
    little = plain.astype(wanted, copy=False)
    return Array(dtype=name, shape=plain.shape, data=little.tobytes(), layout=layout)


def rounded_to_wire(array: Floats, dtype: str) -> Array:
    """Return the wire's form of an array rounded to float16 or bfloat16, to the nearest and ties to even."""
    if dtype == "float16":
        return to_wire(array.astype(np.float16))
    # The upper half of a float32, of which the lower half decides how to round; NumPy has no such type.
    bits = array.astype(np.float32).view(np.uint32)
    upper = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return Array(dtype="bfloat16", shape=array.shape, data=upper.astype("<u2").tobytes())


def from_wire(array: Array) -> Numbers:
    """Return a read-only NumPy array over the wire's bytes; bfloat16, which NumPy lacks, widens to float32."""
    if array.dtype == "bfloat16":
        widened = np.frombuffer(array.data, dtype="<u2").astype(np.uint32) << 16
        return widened.view(np.float32).reshape(array.shape)
    return np.frombuffer(array.data, dtype=np.dtype(array.dtype).newbyteorder("<")).reshape(array.shape)


@lru_cache(maxsize=64)  # NumPy composes a name anew at each asking, which took longer than the copy
def _known(dtype: np.dtype[Any]) -> tuple[str, np.dtype[Any]]:
    """Return the wire's name of a dtype, and its little-endian form."""
    return dtype.name, dtype.newbyteorder("<")
