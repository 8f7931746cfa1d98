"""A program with one fault: every line is an option, and every line is explained."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from courseware.concepts.code import highlighted
from courseware.concepts.sources import Fields
from quizzes import choices, picks, programs
from quizzes.choices import ChoiceControl, ChoiceTask, Option
from quizzes.picks import OnePick
from quizzes.questions import Answer, Figure, Grounds, Note, Posed

FEWEST_LINES = 3  # of fewer, one is found by guessing


@dataclass(frozen=True)
class CodeBugTask(ChoiceTask):
    """Lines in the order of the program; the text of each is code."""

    fix: str  # what the faulty line should be

    @property
    def program(self) -> str:
        return "\n".join(option.text for option in self.options)


class CodeBug(OnePick[CodeBugTask]):
    """Radio buttons beside the lines: the learner picks the one that is wrong."""

    name = "code-bug"

    def parse(self, fields: Fields, grounds: Grounds) -> CodeBugTask | None:
        options: list[Option] = []
        fix = ""
        for number, entry in enumerate(fields.each("lines"), start=1):
            text = str(entry.plain("code")).rstrip() if entry.text("code") else ""
            option = choices.parse_option(entry, grounds, id_=f"line-{number}", text=text, cause_required=False)
            if option.is_right:
                fix = _parse_fix(entry, text)
            entry.refuse_unknown()
            options.append(option)
        if len(options) < FEWEST_LINES:
            fields.fault("lines", f"are {len(options)}; at least {FEWEST_LINES} are needed")
        if not picks.check_one_right(fields, "lines", options) or not all(option.text for option in options):
            return None
        task = CodeBugTask(options=tuple(options), is_ordered=True, fix=fix)
        programs.check_program(fields, "lines", task.program)
        return task

    def freeze(self, task: CodeBugTask) -> dict[str, Any]:
        return {**choices.freeze(task), "fix": task.fix}

    def thaw(self, body: Mapping[str, Any]) -> CodeBugTask:
        return CodeBugTask(**vars(choices.thaw(body)), fix=body["fix"])

    def control(self, posed: Posed[CodeBugTask], answer: Answer | None) -> ChoiceControl:
        return choices.control(posed, answer, lambda text: highlighted(text, "python"))

    def note(self, posed: Posed[CodeBugTask], option: Option, picked: Option | None) -> Note:
        line, why = f"Line {posed.variant.option_order.index(option.id) + 1}", option.explanation
        if option.is_right:
            label = f"{line}, your pick, the fault" if option is picked else f"{line}, the fault"
        else:
            label = f"{line}, your pick" if option is picked else line
        text = f"{why.why}\n\n{line} should read {programs.span(posed.task.fix)}." if option.is_right else why.why
        said = programs.span(option.text)
        return Note(picks.shape_of(option, picked), label, option is picked, said, text, why.see, option.cause)

    def whole(self, posed: Posed[CodeBugTask]) -> Figure:
        return programs.listing(posed.task.program)


def _parse_fix(entry: Fields, line: str) -> str:
    fix = entry.text("fix")
    if fix:
        programs.check_program(entry, "fix", fix)
        if "\n" in fix or fix == line.strip():
            entry.fault("fix", "must be one line, other than the faulty one")
    return fix


KIND = CodeBug()
