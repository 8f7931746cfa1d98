"""The frames that judge and guest exchange: a small JSON note and arrays as raw bytes, never pickled objects.

Owns the layout of the bytes and the distrustful reader of what a guest wrote. It must not know where bytes come from
(the caller passes a function that reads exactly n of them), what a call means, or any array library: an `Array` is a
name, a shape and bytes. `inside/guest.py` packs and unpacks this layout on its own, without a judge's distrust.
"""

import enum
import json
import math
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

# The position in this list is the code on the wire. Everything is little-endian. Object, text and structured types are
# left out on purpose: their bytes mean pointers or need a schema.
DTYPES: tuple[tuple[str, int], ...] = (
    ("bool", 1),
    ("int8", 1),
    ("int16", 2),
    ("int32", 4),
    ("int64", 8),
    ("uint8", 1),
    ("uint16", 2),
    ("uint32", 4),
    ("uint64", 8),
    ("float16", 2),
    ("bfloat16", 2),
    ("float32", 4),
    ("float64", 8),
    ("complex64", 8),
    ("complex128", 16),
)
ITEM_BYTES: dict[str, int] = dict(DTYPES)
_DTYPE_CODES: dict[str, int] = {name: code for code, (name, _) in enumerate(DTYPES)}

MAX_DIMENSIONS = 8  # the fixed header holds eight extents; no exercise needs more than five
MAX_ARRAYS = 64  # arguments or results of one call
MAX_NOTE_BYTES = 64 * 1024  # a note carries names and one message; a megabyte of JSON would be an attack on the parser
MAX_SOURCE_BYTES = 1024 * 1024  # the longest source a guest is ever sent; the site accepts far less

# Of a note; json.dumps and json.loads would ask themselves more with every message.
encode_note, _decode_note = json.JSONEncoder(separators=(",", ":")).encode, json.JSONDecoder().decode

MESSAGE_MAGIC = b"CWm1"
ARRAY_MAGIC = b"CWa1"
MESSAGE_HEAD = struct.Struct("<4sBBHIQ")  # magic, kind, number of arrays, 0, bytes of the note, token
ARRAY_HEAD = struct.Struct("<4sBBBBQ8Q")  # magic, dtype, dimensions, layout, read-only, bytes, eight extents


class Kind(enum.IntEnum):
    """What a message is; the host sends those below 16, the guest the others."""

    SETUP = 1
    SOURCE = 2
    CALL = 3
    READY = 16
    FAULT = 17
    LOADED = 18
    RETURNED = 19
    RAISED = 20
    MISSING = 21
    WRONG_TYPE = 22
    OVERSIZED = 23


class Layout(enum.IntEnum):
    """How the guest lays an argument out in memory; its values are the same in each."""

    PLAIN = 0  # contiguous, last axis fastest
    STRIDED = 1  # every second element of a longer last axis
    FORTRAN = 2  # contiguous, first axis fastest


@dataclass(frozen=True)
class Array:
    """A neutral array: raw little-endian bytes with the last axis fastest, whatever `layout` asks of the guest."""

    dtype: str
    shape: tuple[int, ...]
    data: bytes = field(repr=False)
    layout: Layout = Layout.PLAIN
    is_read_only: bool = False  # NumPy only: writing to it raises, so that an in-place change names its line

    def __post_init__(self) -> None:
        if self.dtype not in ITEM_BYTES:
            raise ValueError(f"dtype must be one of {', '.join(ITEM_BYTES)}, not {self.dtype!r}")
        if len(self.shape) > MAX_DIMENSIONS or any(extent < 0 for extent in self.shape):
            raise ValueError(f"shape must have at most {MAX_DIMENSIONS} extents of at least 0, not {self.shape}")
        expected = math.prod(self.shape) * ITEM_BYTES[self.dtype]
        if len(self.data) != expected:
            raise ValueError(f"{self.dtype}{list(self.shape)} takes {expected} bytes, not {len(self.data)}")


@dataclass(frozen=True)
class Message:
    """One frame. `token` ties a reply to the request it answers; `note` is a small JSON object."""

    kind: Kind
    token: int
    note: dict[str, object]
    arrays: tuple[Array, ...] = ()


class Malformed(ValueError):
    """The guest wrote bytes that are not a message."""


class TooLarge(Malformed):
    """The guest announced more bytes than this reply may have."""


def pack(message: Message, *, note_cap: int = MAX_NOTE_BYTES) -> bytes:
    """Return the bytes of a message; ValueError when it exceeds what the layout can hold."""
    note = encode_note(message.note).encode()
    if len(note) > note_cap:
        raise ValueError(f"a note may take {note_cap} bytes, not {len(note)}")
    if len(message.arrays) > MAX_ARRAYS:
        raise ValueError(f"a message may carry {MAX_ARRAYS} arrays, not {len(message.arrays)}")
    head = MESSAGE_HEAD.pack(MESSAGE_MAGIC, message.kind, len(message.arrays), 0, len(note), message.token)
    return b"".join((head, note, *_packed_arrays(message.arrays)))


def read_message(read: Callable[[int], bytes], *, byte_cap: int) -> Message:
    """Return the next message that a guest wrote, believing none of its lengths.

    `read(n)` returns exactly n bytes or raises; it is never asked for more than a cap allows. Raises TooLarge when the
    arrays together announce more than `byte_cap` bytes, Malformed for everything else that is out of order.
    """
    magic, kind_code, array_count, zero, note_bytes, token = MESSAGE_HEAD.unpack(read(MESSAGE_HEAD.size))
    if magic != MESSAGE_MAGIC or zero != 0:
        raise Malformed("does not begin like a message")
    try:
        kind = Kind(kind_code)
    except ValueError as error:
        raise Malformed(f"{kind_code} is no kind of message") from error
    if note_bytes > MAX_NOTE_BYTES or array_count > MAX_ARRAYS:
        raise Malformed(f"announces a note of {note_bytes} bytes and {array_count} arrays")
    note = _parse_note(read(note_bytes))
    arrays = []
    left = byte_cap
    for _ in range(array_count):
        array = _read_array(read, left)
        left -= len(array.data)
        arrays.append(array)
    return Message(kind=kind, token=token, note=note, arrays=tuple(arrays))


def _packed_arrays(arrays: Iterable[Array]) -> Iterable[bytes]:
    for array in arrays:
        extents = array.shape + (0,) * (MAX_DIMENSIONS - len(array.shape))
        code = _DTYPE_CODES[array.dtype]
        yield ARRAY_HEAD.pack(
            ARRAY_MAGIC, code, len(array.shape), array.layout, array.is_read_only, len(array.data), *extents
        )
        yield array.data


def _parse_note(encoded: bytes) -> dict[str, object]:
    try:
        note = _decode_note(encoded.decode())
    except (ValueError, RecursionError) as error:  # RecursionError: 64 KiB of "[" nests deeper than the parser
        raise Malformed("the note is not JSON") from error
    if not isinstance(note, dict):
        raise Malformed("the note is not a JSON object")
    return note


def _read_array(read: Callable[[int], bytes], byte_cap: int) -> Array:
    magic, code, dimensions, layout, read_only, data_bytes, *extents = ARRAY_HEAD.unpack(read(ARRAY_HEAD.size))
    if magic != ARRAY_MAGIC or layout != 0 or read_only != 0:
        raise Malformed("does not begin like an array")
    if code >= len(DTYPES):
        raise Malformed(f"{code} is no dtype")
    if dimensions > MAX_DIMENSIONS or any(extents[dimensions:]):
        raise Malformed(f"claims {dimensions} dimensions with extents {extents}")
    dtype, item_bytes = DTYPES[code]
    shape = tuple(extents[:dimensions])
    # Python's integers do not overflow, so eight extents of 2**63 are simply a large product here.
    if math.prod(shape) * item_bytes != data_bytes:
        raise Malformed(f"{dtype}{list(shape)} does not take {data_bytes} bytes")
    if data_bytes > byte_cap:
        raise TooLarge(f"announces {data_bytes} bytes where {byte_cap} are left")
    return Array(dtype=dtype, shape=shape, data=read(data_bytes))
