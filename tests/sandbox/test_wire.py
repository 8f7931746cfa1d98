"""The frames, and above all the reader of frames that a hostile program wrote."""

import io
import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox import wire
from grader.sandbox.wire import Array, Kind, Malformed, Message, TooLarge, pack, read_message

CAP = 1 << 16


class ShortRead(Exception):
    pass


def exactly(data: bytes):
    """Return a reader that raises where a pipe would report its end."""
    stream = io.BytesIO(data)

    def read(count: int) -> bytes:
        chunk = stream.read(count)
        if len(chunk) < count:
            raise ShortRead
        return chunk

    return read


def head(
    *, magic=wire.MESSAGE_MAGIC, kind=Kind.RETURNED, arrays=0, zero=0, note=b"{}", note_bytes=None, token=7
) -> bytes:
    size = len(note) if note_bytes is None else note_bytes
    return wire.MESSAGE_HEAD.pack(magic, kind, arrays, zero, size, token) + note


def array_head(
    *, magic=wire.ARRAY_MAGIC, dtype=12, dimensions=1, layout=0, read_only=0, size=8, extents=(1, 0, 0, 0, 0, 0, 0, 0)
) -> bytes:
    return wire.ARRAY_HEAD.pack(magic, dtype, dimensions, layout, read_only, size, *extents)


ARRAYS = st.builds(
    lambda dtype, shape, fill: Array(
        dtype, tuple(shape), bytes([fill]) * (wire.ITEM_BYTES[dtype] * __import__("math").prod(shape))
    ),
    st.sampled_from(sorted(wire.ITEM_BYTES)),
    st.lists(st.integers(0, 3), max_size=8),
    st.integers(0, 255),
)


@given(st.sampled_from(Kind), st.integers(0, 2**64 - 1), st.lists(ARRAYS, max_size=4))
def test_what_was_packed_is_read_back(kind, token, arrays):
    message = Message(kind=kind, token=token, note={"forms": ["ndarray"]}, arrays=tuple(arrays))

    assert read_message(exactly(pack(message)), byte_cap=1 << 24) == message


@given(st.binary(max_size=300))
def test_random_bytes_are_malformed_or_too_short(data):
    with pytest.raises((Malformed, ShortRead)):
        read_message(exactly(data), byte_cap=CAP)


@given(st.binary(max_size=200), st.integers(0, 255), st.integers(0, 64), st.integers(0, 2**32 - 1))
def test_hostile_bytes_behind_a_good_magic_never_read_past_a_cap(rest, kind, arrays, note_bytes):
    asked = []
    read = exactly(wire.MESSAGE_HEAD.pack(wire.MESSAGE_MAGIC, kind, arrays, 0, note_bytes, 1) + rest)

    def watched(count: int) -> bytes:
        asked.append(count)
        return read(count)

    with pytest.raises((Malformed, ShortRead)):
        message = read_message(watched, byte_cap=CAP)
        assert not message.arrays  # an empty note and no arrays is a message: it is only not what a test wants
        raise Malformed
    assert max(asked) <= max(CAP, wire.MAX_NOTE_BYTES)


@given(
    st.integers(0, 255),
    st.integers(0, 255),
    st.integers(0, 2**64 - 1),
    st.lists(st.integers(0, 2**64 - 1), min_size=8, max_size=8),
)
def test_an_array_is_only_read_when_dtype_shape_and_size_agree(dtype, dimensions, size, extents):
    announced = array_head(dtype=dtype, dimensions=dimensions, size=size, extents=extents)
    payload = bytes(CAP)

    try:
        message = read_message(exactly(head(arrays=1) + announced + payload), byte_cap=CAP)
    except (Malformed, ShortRead):
        return
    (array,) = message.arrays
    assert len(array.data) == size <= CAP


@pytest.mark.parametrize(
    "written",
    [
        head(magic=b"CWm2"),
        head(zero=1),
        head(kind=99),
        head(note=b"[]"),
        head(note=b"{"),
        head(note=b"\xff\xfe"),
        head(note=b"[" * 60_000),
        head(note=b'{"a":' * 10_000),
        head(note=b"", note_bytes=wire.MAX_NOTE_BYTES + 1),
        head(arrays=65),
        head(arrays=1) + array_head(magic=b"CWm1") + bytes(8),
        head(arrays=1) + array_head(dtype=15) + bytes(8),
        head(arrays=1) + array_head(dimensions=9) + bytes(8),
        head(arrays=1) + array_head(extents=(1, 1, 0, 0, 0, 0, 0, 0)) + bytes(8),
        head(arrays=1) + array_head(size=16) + bytes(16),
        head(arrays=1) + array_head(size=0) + bytes(8),
        head(arrays=1) + array_head(layout=1) + bytes(8),
        head(arrays=1) + array_head(read_only=1) + bytes(8),
        # 2**32 × 2**32 elements would wrap to 0 bytes in 64-bit arithmetic.
        head(arrays=1) + array_head(dimensions=2, size=0, extents=(2**32, 2**32, 0, 0, 0, 0, 0, 0)),
    ],
)
def test_malformed_message_is_refused(written):
    with pytest.raises(Malformed):
        read_message(exactly(written), byte_cap=CAP)


def test_a_huge_array_is_refused_before_its_bytes_are_read():
    size = 1 << 50
    written = head(arrays=1) + array_head(size=size, extents=(size // 8, 0, 0, 0, 0, 0, 0, 0))

    with pytest.raises(TooLarge):  # ShortRead would mean that it began to read them
        read_message(exactly(written), byte_cap=CAP)


def test_the_cap_counts_all_arrays_together():
    one = array_head(size=CAP // 2 + 8, extents=(CAP // 16 + 1, 0, 0, 0, 0, 0, 0, 0)) + bytes(CAP // 2 + 8)

    with pytest.raises(TooLarge):
        read_message(exactly(head(arrays=2) + one + one), byte_cap=CAP)


@pytest.mark.parametrize(
    ("dtype", "shape", "data"),
    [
        ("object", (1,), bytes(8)),
        ("float64", (1,), bytes(7)),
        ("float64", (-1,), b""),
        ("float64", (1,) * 9, bytes(8)),
    ],
)
def test_an_array_that_contradicts_itself_cannot_be_made(dtype, shape, data):
    with pytest.raises(ValueError, match=r"must|takes"):
        Array(dtype, shape, data)


def test_too_large_a_note_is_not_sent():
    with pytest.raises(ValueError, match="note"):
        pack(Message(kind=Kind.CALL, token=1, note={"function": "f" * wire.MAX_NOTE_BYTES}))


def test_a_packed_message_is_little_endian_on_every_machine():
    packed = pack(Message(kind=Kind.CALL, token=1, note={}))

    assert packed[-2:] == b"{}"
    assert struct.unpack("<Q", packed[12:20]) == (1,)
    assert json.loads(packed[20:]) == {}
