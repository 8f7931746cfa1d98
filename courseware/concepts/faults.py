"""Faults that a course author must mend, collected so that all of them are reported at once.

Pure: knows nothing of Django, nor of what the content means.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class ContentError:
    """One fault in a course file: where it is, which key holds it, and what is wrong."""

    path: Path
    line: int  # 1-based; 1 where the fault is the file as a whole
    key: str  # dotted path inside the file, such as "questions.3.options.1.why"
    reason: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.key}: {self.reason}"


class Faults:
    """The faults found so far while a course is read."""

    def __init__(self) -> None:
        self._errors: list[ContentError] = []

    def add(self, path: Path, line: int, key: str, reason: str) -> None:
        self._errors.append(ContentError(path, line, key, reason))

    def __iter__(self) -> Iterator[ContentError]:
        return iter(sorted(self._errors))

    def __len__(self) -> int:
        return len(self._errors)

    def raise_if_any(self) -> None:
        """Raise BrokenCourse with every fault, if there is one."""
        if self._errors:
            raise BrokenCourse(tuple(self))


class BrokenCourse(Exception):
    """The course cannot be served until its author has mended these faults."""

    def __init__(self, errors: tuple[ContentError, ...]) -> None:
        self.errors = errors
        super().__init__("\n".join(str(error) for error in errors))
