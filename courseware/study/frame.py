"""What the frame of every page needs: the module's names, and whether to offer the teaching pages."""

from dataclasses import dataclass
from hashlib import sha256

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from courseware.accounts.access import teaches
from courseware.concepts.course import current
from grader.catalogue import current_exercises


@dataclass(frozen=True)
class Frame:
    module_id: str
    module_title: str
    module_line: str
    teaches: bool
    content: str  # a digest of all that the course says; parts of pages that are kept for every reader are kept by it


def frame(request: HttpRequest) -> dict[str, object]:
    """Return the frame's variables for a template."""
    return {"frame": SimpleLazyObject(lambda: _frame_for(request))}


def _frame_for(request: HttpRequest) -> Frame:
    course, module = current(), current().module
    digests = course.digest, *(exercise.digest for exercise in current_exercises().values())
    user = getattr(request, "user", None)
    return Frame(
        module_id=module.id,
        module_title=module.title,
        module_line=f"Module {module.number:02d} · {module.title} · {len(module.concepts)} concepts",
        teaches=bool(user is not None and user.is_authenticated and teaches(user)),
        content=sha256("".join(digests).encode()).hexdigest(),
    )
