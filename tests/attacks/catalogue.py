"""The hostile programs: what `index.yaml` says of each, and its source."""

import ast
import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Attack:
    """One program of the index."""

    name: str
    group: str
    effect: str
    ends: str
    stopped_by: tuple[str, ...]
    cheats: tuple[int, ...] = ()
    limits: dict[str, Any] = field(default_factory=dict, hash=False)


@functools.cache
def index() -> dict[str, Any]:
    return yaml.safe_load((FOLDER / "index.yaml").read_text())


@functools.cache
def attacks() -> tuple[Attack, ...]:
    return tuple(
        Attack(
            name=name,
            group=group,
            effect=entry["effect"],
            ends=entry["ends"],
            stopped_by=tuple(entry["stopped_by"]),
            cheats=tuple(entry.get("cheats", ())),
            limits=entry.get("limits", {}),
        )
        for group, entries in index()["attacks"].items()
        for name, entry in entries.items()
    )


def programs(group: str) -> set[str]:
    """Return the names of the programs in the file of a class: functions that take what a call gives."""
    tree = ast.parse((FOLDER / "programs" / f"{group}.py").read_text())
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {each.name for each in functions if ast.unparse(each.args) in ("x", "*given")}


@functools.cache
def text_of(group: str) -> str:
    return "".join((FOLDER / "programs" / f"{name}.py").read_text() + "\n" for name in ("tools", group))
