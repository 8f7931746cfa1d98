"""What the frame of every page needs: the module's names, and whether to offer the teaching pages."""

from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from courseware.accounts.access import teaches
from courseware.concepts.course import current


@dataclass(frozen=True)
class Frame:
    module_id: str
    module_title: str
    module_line: str
    teaches: bool


def frame(request: HttpRequest) -> dict[str, object]:
    """Return the frame's variables for a template."""
    return {"frame": SimpleLazyObject(lambda: _frame_for(request))}


def _frame_for(request: HttpRequest) -> Frame:
    module = current().module
    user = getattr(request, "user", None)
    return Frame(
        module_id=module.id,
        module_title=module.title,
        module_line=f"Module {module.number:02d} · {module.title} · {len(module.concepts)} concepts",
        teaches=bool(user is not None and user.is_authenticated and teaches(user)),
    )
