"""YAML course files, read so that every fault can name its file, line and key.

`read_yaml` keeps the line of each key and list entry; `Fields` reads the keys of one mapping, reports what is
missing, of the wrong type or unknown, and never raises for an author's mistake. Pure: no Django, no meaning.
"""

from collections.abc import Callable, Sequence
from datetime import date
from math import isfinite
from pathlib import Path
from types import NoneType
from typing import Any

import yaml

from courseware.concepts.faults import Faults


class YamlMapping(dict[str, Any]):
    """A mapping that remembers the line of each of its keys."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: dict[str, int] = {}

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


class YamlList(list[Any]):
    """A list that remembers the line of each of its entries."""

    def __init__(self, line: int) -> None:
        super().__init__()
        self.line = line
        self.lines: list[int] = []

    def line_of(self, index: int) -> int:
        return self.lines[index] if 0 <= index < len(self.lines) else self.line


def read_yaml(path: Path, faults: Faults, *, text: str | None = None, first_line: int = 1) -> YamlMapping | None:
    """Return the mapping that a YAML file holds, or None after reporting why there is none.

    `text` and `first_line` serve front matter: the YAML is then that text, and its first line is `first_line`.
    """
    if text is None:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            faults.add(path, 1, "file", f"cannot be read: {error}")
            return None
    try:
        node = yaml.compose(text, Loader=yaml.CSafeLoader)
    except RecursionError:
        faults.add(path, first_line, "file", "is nested too deeply to be read")
        return None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = first_line + (mark.line if mark else 0)
        faults.add(path, line, "file", f"is not YAML: {getattr(error, 'problem', error)}")
        return None
    if not isinstance(node, yaml.MappingNode):
        faults.add(path, first_line, "file", "must hold a mapping of keys to values")
        return None
    builder = _Builder(path, faults, first_line)
    mapping = builder.build(node, "")
    assert isinstance(mapping, YamlMapping)
    return mapping


class _Builder:
    """Turns YAML nodes into values; a scalar keeps the type that YAML's safe schema gives it."""

    def __init__(self, path: Path, faults: Faults, first_line: int) -> None:
        self.path, self.faults, self.first_line = path, faults, first_line
        self.scalars = yaml.SafeLoader("")
        self.built: set[int] = set()

    def build(self, node: yaml.Node, key: str) -> Any:
        line = self.first_line + node.start_mark.line
        if isinstance(node, yaml.CollectionNode):
            if id(node) in self.built:  # a few aliases of aliases stand for billions of values, or for themselves
                self.faults.add(self.path, line, key, "repeats a list or mapping by an alias; write it out")
                return None
            self.built.add(id(node))
        if isinstance(node, yaml.MappingNode):
            mapping = YamlMapping(line)
            for key_node, value_node in node.value:
                name = str(key_node.value)
                key_line = self.first_line + key_node.start_mark.line
                inner = f"{key}.{name}" if key else name
                if name in mapping:  # YAML would silently keep the last one
                    self.faults.add(self.path, key_line, inner, "stands twice in the same mapping")
                mapping[name] = self.build(value_node, inner)
                mapping.lines[name] = key_line
            return mapping
        if isinstance(node, yaml.SequenceNode):
            entries = YamlList(line)
            for index, entry in enumerate(node.value):
                entries.append(self.build(entry, f"{key}.{index}"))
                entries.lines.append(self.first_line + entry.start_mark.line)
            return entries
        try:
            return self.scalars.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            self.faults.add(self.path, line, key, f"cannot be read as a value: {error}")
            return node.value


class Fields:
    """Reads the keys of one mapping, each with the type it must have."""

    def __init__(self, mapping: YamlMapping, path: Path, faults: Faults, key: str = "") -> None:
        self.mapping, self.path, self.faults, self.key = mapping, path, faults, key
        self._asked: set[str] = set()

    def fault(self, name: str, reason: str) -> None:
        """Report a fault at a key of this mapping."""
        self.faults.add(self.path, self.mapping.line_of(name), self._inner(name), reason)

    def text(self, name: str, *, required: bool = True) -> str:
        """Return a non-empty text, stripped; "" when it is absent or faulty."""
        value = self._get(name, required)
        if value is None and (required or name not in self.mapping):
            return ""
        if reason := _why_no_text(value):
            self.fault(name, reason)
            return ""
        return str(value).strip()

    def choice(self, name: str, allowed: Sequence[str]) -> str:
        """Return one of the allowed words; the first of them when the value is faulty."""
        value = self._get(name, True)
        if value is not None and value not in allowed:
            self.fault(name, f"must be one of {', '.join(allowed)}, not {value!r}")
        return str(value) if value in allowed else allowed[0]

    def integer(self, name: str, *, minimum: int = 0, default: int | None = None) -> int:
        """Return a whole number of at least `minimum`; the default when absent."""
        value = self._get(name, default is None)
        if value is None:
            return minimum if default is None else default
        if not isinstance(value, int) or isinstance(value, bool) or value < minimum:
            self.fault(name, f"must be a whole number of at least {minimum}, not {value!r}")
            return minimum
        return value

    def number(self, name: str, *, required: bool = True) -> float | None:
        """Return a finite number, or None when it is absent or faulty."""
        value = self._get(name, required)
        if value is None:
            return None
        if isinstance(value, str):  # YAML 1.1 reads 1e-9, without a dot, as a text
            try:
                value = float(value)
            except ValueError:
                self.fault(name, f"must be a number, not {value!r}")
                return None
        if (
            not isinstance(value, int | float)
            or isinstance(value, bool)
            or abs(value) == float("inf")
            or value != value
        ):
            self.fault(name, f"must be a finite number, not {value!r}")
            return None
        return float(value)

    def flag(self, name: str) -> bool:
        """Return true or false; false when absent."""
        value = self._get(name, False)
        if value is not None and not isinstance(value, bool):
            self.fault(name, f"must be true or false, not {value!r}")
        return value is True

    def plain(self, name: str) -> int | float | bool | str | None:
        """Return one value as YAML reads it; None also where it says null or is faulty."""
        value = self._get(name, False)
        if value is None or isinstance(value, int | float | bool | str):
            return value
        self.fault(name, "must be one plain value")
        return None

    def texts(self, name: str, *, required: bool = True) -> tuple[str, ...]:
        """Return a list of non-empty texts, stripped; an empty list when one of them is faulty."""
        return tuple(text.strip() for text in self._sound_entries(name, _why_no_text, required=required))

    def numbers(self, name: str) -> tuple[int | float, ...]:
        """Return a list of finite numbers; an empty one when one of them is faulty."""
        return self._sound_entries(name, _why_no_number, required=True)

    def entries(self, name: str, *, required: bool = True) -> YamlList:
        """Return a list; an empty one when it is absent or faulty."""
        value = self._get(name, required)
        if value is not None and not isinstance(value, YamlList):
            self.fault(name, "must be a list")
            value = None
        return value if value is not None else YamlList(self.mapping.line_of(name))

    def fields(self, name: str, *, required: bool = True) -> "Fields | None":
        """Return a reader of the mapping under a key, or None."""
        value = self._get(name, required)
        if value is None:
            return None
        return self._reader(value, name)

    def each(self, name: str, *, required: bool = True) -> "list[Fields]":
        """Return a reader for each mapping in a list."""
        entries = self.entries(name, required=required)
        readers = []
        for index, entry in enumerate(entries):
            if isinstance(entry, YamlMapping):
                readers.append(Fields(entry, self.path, self.faults, self._inner(f"{name}.{index}")))
            else:
                self._entry_fault(name, entries, index, "must be a mapping")
        return readers

    def refuse_unknown(self) -> None:
        """Report every key that was never asked for: a misspelt key must not be silently ignored."""
        for name in self.mapping:
            if name not in self._asked:
                self.fault(name, "is not a key that is known here")

    def _get(self, name: str, required: bool) -> Any:
        self._asked.add(name)
        value = self.mapping.get(name)
        if value is None and required:
            self.fault(name, "is missing")
        return value

    def _reader(self, value: Any, name: str) -> "Fields | None":
        if not isinstance(value, YamlMapping):
            self.fault(name, "must be a mapping")
            return None
        return Fields(value, self.path, self.faults, self._inner(name))

    def _sound_entries(self, name: str, why_not: Callable[[Any], str], *, required: bool) -> tuple[Any, ...]:
        entries = self.entries(name, required=required)
        reasons = [why_not(entry) for entry in entries]
        for index, reason in enumerate(reasons):
            if reason:
                self._entry_fault(name, entries, index, reason)
        return () if any(reasons) else tuple(entries)

    def _entry_fault(self, name: str, entries: YamlList, index: int, reason: str) -> None:
        self.faults.add(self.path, entries.line_of(index), self._inner(f"{name}.{index}"), reason)

    def _inner(self, name: str) -> str:
        return f"{self.key}.{name}" if self.key else name


# What YAML 1.1 makes of an unquoted word; an author who wrote `on` or `1.10` would not know "True" or "1.1" again.
_READ_AS = ((bool, "true or false"), (int | float, "a number"), (date, "a date"), (NoneType, "nothing"))


def _why_no_text(value: Any) -> str:
    """Return what is wrong with a value where a text is wanted; "" if it is one."""
    if isinstance(value, str):
        return "" if value.strip() else "must not be empty"
    read_as = next((words for kind, words in _READ_AS if isinstance(value, kind)), None)
    return f"must be a text, and without quotes this is {read_as}; put it in quotes" if read_as else "must be a text"


def _why_no_number(value: Any) -> str:
    is_number = type(value) in (int, float) and isfinite(value)
    return "" if is_number else f"must be a finite number, not {value!r}"
