"""What a program took as its input grew, beside the course's own program: a part of a verdict's message.

Pure: knows neither how it was measured nor how it is drawn.
"""

from dataclasses import dataclass
from typing import Self

from grader.untrusted import Untrusted

LENGTHS_UP_TO = 8


@dataclass(frozen=True)
class Cost:
    """Memory beyond what the program held before the call, and time, for each length; shorter where it was stopped."""

    counted: str  # what the lengths count, such as "tokens"
    lengths: tuple[int, ...]
    memory_bytes: tuple[int, ...]
    seconds: tuple[float, ...]
    reference_bytes: tuple[int, ...]
    reference_seconds: tuple[float, ...]

    @classmethod
    def from_message(cls, message: object) -> Self:
        fields = Untrusted(message, "cost")
        cost = cls(
            counted=fields.matching("counted", r"[a-z]{1,20}"),
            lengths=tuple(int(length) for length in _numbers(fields, "lengths")),
            memory_bytes=tuple(int(size) for size in _numbers(fields, "memory_bytes")),
            seconds=_numbers(fields, "seconds"),
            reference_bytes=tuple(int(size) for size in _numbers(fields, "reference_bytes")),
            reference_seconds=_numbers(fields, "reference_seconds"),
        )
        fields.refuse_unknown()
        whole = {len(cost.lengths), len(cost.reference_bytes), len(cost.reference_seconds)}
        if whole != {len(cost.lengths)} or len(cost.memory_bytes) != len(cost.seconds):
            raise ValueError("cost must hold a figure for each length")
        if len(cost.seconds) > len(cost.lengths) or sorted(set(cost.lengths)) != list(cost.lengths):
            raise ValueError("cost.lengths must rise, one for each figure")
        return cost


def _numbers(fields: Untrusted, name: str) -> tuple[float, ...]:
    entries = fields.entries(name, limit=LENGTHS_UP_TO)
    return tuple(Untrusted({"entry": entry}, f"cost.{name}").number("entry") for entry in entries)
