"""What the frame of every page needs: the module's names, and whether to offer the teaching pages."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest

from courseware.accounts.access import teaches
from courseware.concepts.course import current
from grader.catalogue import current_exercises


@dataclass(frozen=True)
class Frame:
    module_id: str
    module_title: str
    module_line: str
    content: str  # a digest of all that the course says; parts of pages that are kept for every reader are kept by it


def frame(request: HttpRequest) -> dict[str, object]:
    """Return the frame's variables for a template; `teaches` asks the database where a page wants to know it."""
    return {"frame": _frame(settings.COURSE_PATH), "teaches": lambda: _teaches(request)}


@lru_cache(maxsize=4)  # tests switch between a few course directories; a server has one
def _frame(path: Path) -> Frame:  # noqa: ARG001  (another course is another frame)
    course, module = current(), current().module
    digests = course.digest, *(exercise.digest for exercise in current_exercises().values())
    return Frame(
        module_id=module.id,
        module_title=module.title,
        module_line=f"Module {module.number:02d} · {module.title} · {len(module.concepts)} concepts",
        content=sha256("".join(digests).encode()).hexdigest(),
    )


def _teaches(request: HttpRequest) -> bool:
    user = getattr(request, "user", None)
    return bool(user is not None and user.is_authenticated and teaches(user))
