"""Misconceptions and slips: the names that cards, questions, exercises and results share for what goes wrong.

Pure. A misconception is a belief with a reason and a remedy; a slip is an error behind which no belief stands.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.markup import MarkupError
from courseware.concepts.rendered import Rendered
from courseware.concepts.sources import Fields, YamlMapping, read_yaml
from courseware.drawing.safe_html import SafeHtml

_ID = re.compile(r"m\d\d-[a-z0-9]+(?:-[a-z0-9]+)*")
_SLIP_ID = re.compile(r"slip-[a-z0-9]+(?:-[a-z0-9]+)*")
_SEE = re.compile(r"([a-z0-9-]+)#([a-z0-9-]+)")
LABEL_CHARACTERS = 70  # a label stands in a chip and in the cell of a table


@dataclass(frozen=True)
class Misconception:
    """A belief that leads to wrong answers, why it is wrong, and where the card sets it right."""

    id: str
    label: str  # plain text
    belief: SafeHtml
    wrong_because: SafeHtml
    right: SafeHtml
    see_concept: str
    see_section: str
    path: Path  # the misconceptions.yaml that it stands in, and its line there
    line: int


@dataclass(frozen=True)
class Slip:
    """An error that anyone can make, such as one of arithmetic."""

    id: str
    label: str  # plain text
    line: int


def read_misconceptions(
    path: Path, faults: Faults, *, cache: Path | None = None
) -> tuple[Mapping[str, Misconception], Mapping[str, Slip]]:
    """Return the misconceptions and the slips of a module's file by id; whether `see` exists is the course's to check.

    Errors:  a file without either key is reported, since it says nothing
    """
    mapping = read_yaml(path, faults)
    if mapping is None:
        return {}, {}
    rendered = Rendered(cache, path.read_text(encoding="utf-8"))
    fields = Fields(mapping, path, faults)
    misconceptions = {
        reader.key.partition(".")[2]: _misconception(reader, rendered)
        for reader in _each(fields, "misconceptions", _ID)
    }
    slips = {}
    for reader in _each(fields, "slips", _SLIP_ID):
        identifier = reader.key.partition(".")[2]
        slips[identifier] = Slip(identifier, _label(reader), reader.mapping.line)
        reader.refuse_unknown()
    fields.refuse_unknown()
    if not misconceptions and not slips:
        fields.fault("file", "names no misconception and no slip")
    rendered.keep()
    return misconceptions, slips


def _each(fields: Fields, name: str, pattern: re.Pattern[str]) -> list[Fields]:
    group = fields.fields(name, required=False)
    readers = []
    for identifier, value in group.mapping.items() if group else ():
        assert group is not None
        if not pattern.fullmatch(identifier):
            group.fault(identifier, f"is no id of this kind; it has the form {pattern.pattern}")
        if isinstance(value, YamlMapping):
            value.line = group.mapping.line_of(identifier)  # where the id stands, not the first key below it
            readers.append(Fields(value, group.path, group.faults, f"{name}.{identifier}"))
        else:
            group.fault(identifier, "must be a mapping")
    return readers


def _misconception(reader: Fields, rendered: Rendered) -> Misconception:
    see = _SEE.fullmatch(reader.text("see"))
    if see is None and reader.mapping.get("see"):
        reader.fault("see", f"has the form concept-id#section-id, not {reader.mapping['see']!r}")
    misconception = Misconception(
        id=reader.key.partition(".")[2],
        label=_label(reader),
        belief=_set(reader, "belief", rendered.inline),
        wrong_because=_set(reader, "wrong_because", rendered.inline),
        right=_set(reader, "right", rendered.inline),
        see_concept=see[1] if see else "",
        see_section=see[2] if see else "",
        path=reader.path,
        line=reader.mapping.line_of("see"),
    )
    reader.refuse_unknown()
    return misconception


def _label(reader: Fields) -> str:
    """Return a label, which is plain text: it stands where no formula can, such as in a CSV file."""
    label = reader.text("label")
    if len(label) > LABEL_CHARACTERS:
        reader.fault("label", f"has {len(label)} characters; a label has at most {LABEL_CHARACTERS}")
    if re.search(r"[$`*_\\<>]", label):
        reader.fault("label", "holds markup; a label is plain words")
    if label.endswith("."):
        reader.fault("label", "ends with a full stop; a label is a phrase")
    return label


def _set(reader: Fields, name: str, render: Callable[[str], SafeHtml]) -> SafeHtml:
    try:
        return render(reader.text(name))
    except MarkupError as error:
        for fault in error.faults:
            reader.fault(name, fault.reason)
        return SafeHtml()
