"""What a program prints: four printed outputs, each wrong one what the same program prints after one named change.

Nothing here runs the program; the tests of the course do, for every change.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from html import escape
from typing import Any

from courseware.concepts.sources import Fields
from courseware.drawing.safe_html import SafeHtml
from quizzes import choices, picks, programs, prose
from quizzes.choices import ChoiceControl, ChoiceTask, Option
from quizzes.picks import OnePick
from quizzes.questions import Answer, Figure, Grounds, KeyLength, Note, Posed

OUTPUTS = 4
MOST_COLUMNS = 40  # of an output; more would be broken on a phone, and a broken row of numbers is misread
MOST_LINES = 6


@dataclass(frozen=True)
class Change:
    """One place of a program, written another way."""

    before: str
    after: str

    def applied(self, program: str) -> str:
        return program.replace(self.before, self.after)

    def line(self, program: str) -> int:
        """Return the number of the line that it changes."""
        return program.partition(self.before)[0].count("\n") + 1


@dataclass(frozen=True)
class CodeOutTask(ChoiceTask):
    """A program and four outputs; the text of each option is what is printed."""

    program: str
    changes: Mapping[str, Change]  # by the id of the option that is printed then


class CodeOut(OnePick[CodeOutTask]):
    """Radio buttons: the learner picks what the program prints."""

    name = "code-out"

    def parse(self, fields: Fields, grounds: Grounds) -> CodeOutTask | None:
        program = programs.parse_program(fields, "code")
        options: list[Option] = []
        changes: dict[str, Change] = {}
        for entry in fields.each("options"):
            text = entry.text("output")
            option = choices.parse_option(entry, grounds, id_=entry.text("id"), text=text, cause_required=True)
            change = None if option.is_right else _parse_change(entry, program)
            if change in changes.values():
                entry.fault("change", "is the change of another option too")
            if change:
                changes[option.id] = change
            entry.refuse_unknown()
            known = {other.id: other.text for other in options}
            prose.check_told_apart(entry, "option", (option.id, option.text), known, key="output")
            _check_output(entry, text)
            options.append(option)
        if len(options) != OUTPUTS:
            fields.fault("options", f"are {len(options)}; there are {OUTPUTS} outputs to choose from")
        choices.check_lengths(fields, options)
        is_whole = picks.check_one_right(fields, "options", options) and len(changes) == len(options) - 1
        if not program or not is_whole:
            return None
        return CodeOutTask(options=tuple(options), is_ordered=False, program=program, changes=changes)

    def freeze(self, task: CodeOutTask) -> dict[str, Any]:
        changes = {id_: {"before": change.before, "after": change.after} for id_, change in task.changes.items()}
        return {**choices.freeze(task), "program": task.program, "changes": changes}

    def thaw(self, body: Mapping[str, Any]) -> CodeOutTask:
        changes = {id_: Change(**change) for id_, change in body["changes"].items()}
        return CodeOutTask(**vars(choices.thaw(body)), program=body["program"], changes=changes)

    def key_length(self, task: CodeOutTask) -> KeyLength:
        return choices.key_length(task)

    def exhibit(self, posed: Posed[CodeOutTask]) -> tuple[Figure, ...]:
        return (programs.listing(posed.task.program),)

    def control(self, posed: Posed[CodeOutTask], answer: Answer | None) -> ChoiceControl:
        return choices.control(posed, answer, lambda text: SafeHtml(escape(text)))

    def note(self, posed: Posed[CodeOutTask], option: Option, picked: Option | None) -> Note:
        shape, label, why = picks.shape_of(option, picked), picks.label_of(option, picked), option.explanation
        text = why.why
        change = posed.task.changes.get(option.id)
        if change:
            line = change.line(posed.task.program)
            changed = change.applied(posed.task.program).split("\n")[line - 1]
            text = f"This is printed if line {line} reads {programs.span(changed)}.\n\n{text}"
        printed = Figure("quizzes/_printed.html", option.text)
        return Note(shape, label, option is picked, "", text, why.see, option.cause, printed)


def _parse_change(entry: Fields, program: str) -> Change | None:
    inner = entry.fields("change")
    if inner is None:
        return None
    change = Change(before=inner.text("from"), after=inner.text("to"))
    inner.refuse_unknown()
    if not change.before or not change.after or not program:
        return None
    found = program.count(change.before)
    if found != 1:
        inner.fault("from", f"stands {found} times in the code; a change is of one place")
        return None
    if "\n" in change.before + change.after or change.before == change.after:
        inner.fault("to", "must be another way to write the same line")
        return None
    programs.check_program(inner, "to", change.applied(program))
    return change


def _check_output(entry: Fields, text: str) -> None:
    lines = text.split("\n")
    if len(lines) > MOST_LINES or max(map(len, lines)) > MOST_COLUMNS:
        entry.fault("output", f"is more than {MOST_LINES} lines of {MOST_COLUMNS} characters")
    if not all(line.isascii() and line.isprintable() for line in lines):
        entry.fault("output", "holds what is no printable ASCII; NumPy prints nothing else")


KIND = CodeOut()
