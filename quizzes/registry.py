"""The kinds of question that exist: every module in `quizzes/kinds/` that defines KIND.

A new kind is one file there and one template; nothing else names it. Pure: no Django.
"""

import importlib
import pkgutil
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import quizzes.kinds
from quizzes.questions import Kind


@lru_cache(maxsize=1)
def kinds() -> Mapping[str, Kind[Any]]:
    """Return every kind by its name."""
    found: dict[str, Kind[Any]] = {}
    for module_info in pkgutil.iter_modules(quizzes.kinds.__path__, "quizzes.kinds."):
        kind: Kind[Any] = importlib.import_module(module_info.name).KIND
        if kind.name in found:
            raise ImportError(f"two files define the kind {kind.name!r}; the second is {module_info.name}")
        found[kind.name] = kind
    return found


def kind_of(name: str) -> Kind[Any]:
    """Return the kind of this name.

    Errors:  KeyError if there is none, which means that a snapshot is older than the removal of its kind
    """
    return kinds()[name]
