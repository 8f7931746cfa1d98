"""What a guest is asked once it has sealed itself: the bytes of a request, and how the answer to it is read.

It must not know when a request is sent, nor how long the guest may take.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from grader.sandbox.answers import read_call_answer, read_load_answer
from grader.sandbox.replies import CallReply, LoadReply
from grader.sandbox.wire import Array, Kind, Message, pack

Reply = TypeVar("Reply", LoadReply, CallReply)
Argument = Array | int | float | bool | str | None


@dataclass(frozen=True)
class Request(Generic[Reply]):
    """A request as it goes out. Its token is fresh, so that nothing written before it was sent can answer it."""

    token: int
    packed: bytes
    read_answer: Callable[[Message, float], Reply]  # given the answer and the seconds that it took


def source_request(filename: str, source: str, adapter: str) -> Request[LoadReply]:
    """Return the request to run a learner's module, and the exercise's adapter if it has one."""
    texts = [text.encode("utf-8", "surrogatepass") for text in (source, adapter)[: 2 if adapter else 1]]
    arrays = tuple(Array("uint8", (len(text),), text) for text in texts)
    return _request(Kind.SOURCE, {"filename": filename}, arrays, read_load_answer)


def call_request(function: str, arguments: Sequence[Argument]) -> Request[CallReply]:
    """Return the request to call a function of the learner's module."""
    arrays = tuple(argument for argument in arguments if isinstance(argument, Array))
    note: dict[str, object] = {"function": function, "arguments": _placeholders(arguments)}
    return _request(Kind.CALL, note, arrays, partial(read_call_answer, function=function, arrays=arrays))


def _request(
    kind: Kind, note: dict[str, object], arrays: tuple[Array, ...], read_answer: Callable[[Message, float], Reply]
) -> Request[Reply]:
    message = Message(kind=kind, token=secrets.randbits(64), note=note, arrays=arrays)
    return Request(message.token, pack(message), read_answer)


def _placeholders(arguments: Sequence[Argument]) -> list[dict[str, object]]:
    """Return the arguments for the note: numbers as they are, arrays as positions among the arrays that follow it."""
    count = 0
    described: list[dict[str, object]] = []
    for argument in arguments:
        if isinstance(argument, Array):
            described.append({"array": count})
            count += 1
        else:
            described.append({"value": argument})
    return described
