"""One right option among several. Worth everything or nothing."""

from collections.abc import Mapping
from typing import Any

from courseware.concepts.sources import Fields
from quizzes import choices, picks, prose
from quizzes.choices import ChoiceControl, ChoiceTask, Option
from quizzes.picks import OnePick
from quizzes.questions import Answer, Grounds, KeyLength, Note, Posed


class Single(OnePick[ChoiceTask]):
    """Radio buttons: the learner picks one."""

    name = "single"

    def parse(self, fields: Fields, grounds: Grounds) -> ChoiceTask | None:
        task = choices.parse_options(fields, grounds, cause_required=True)
        if not 3 <= len(task.options) <= 5:
            fields.fault("options", f"are {len(task.options)}; a single has 3 to 5")
        if not picks.check_one_right(fields, "options", task.options):
            return None
        _check_no_echo(fields, task)
        return task

    def freeze(self, task: ChoiceTask) -> dict[str, Any]:
        return choices.freeze(task)

    def thaw(self, body: Mapping[str, Any]) -> ChoiceTask:
        return choices.thaw(body)

    def key_length(self, task: ChoiceTask) -> KeyLength:
        return choices.key_length(task)

    def control(self, posed: Posed[ChoiceTask], answer: Answer | None) -> ChoiceControl:
        return choices.control(posed, answer)

    def note(self, posed: Posed[ChoiceTask], option: Option, picked: Option | None) -> Note:  # noqa: ARG002
        shape, label, why = picks.shape_of(option, picked), picks.label_of(option, picked), option.explanation
        return Note(shape, label, option is picked, option.text, why.why, why.see, option.cause)


def _check_no_echo(fields: Fields, task: ChoiceTask) -> None:
    # A right option that alone takes up the words of the stem is found without knowing anything.
    stem = prose.long_words(fields.text("stem"))
    echoes = {option.id: stem & prose.long_words(option.text) for option in task.options}
    key = next(option.id for option in task.options if option.is_right)
    others = [echo for option_id, echo in echoes.items() if option_id != key]
    own = echoes[key].difference(*others)
    if own and len(echoes[key]) > max(map(len, others)):
        fields.fault(
            "options", f"the right option alone repeats {', '.join(sorted(own))} of the stem; share it or drop it"
        )


KIND = Single()
