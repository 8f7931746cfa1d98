"""What a question is, whatever its kind: the values that bank, paper, marking and pages pass to each other.

`Kind` is the one interface behind which a kind of question hides how it is written, drawn, read, marked and
explained; the kinds themselves live in `quizzes/kinds/`, one file each. Pure: no Django.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any, ClassVar, Generic, TypeVar

from courseware.concepts.rendered import Rendered
from courseware.concepts.sources import Fields
from quizzes.expressions import Number

Task = TypeVar("Task")
Part = TypeVar("Part")


class Pool(StrEnum):
    """Where a question may be asked."""

    TEST = "test"
    PRACTICE = "practice"
    SELF_CHECK = "self-check"


class Bloom(StrEnum):
    """What a question asks of the mind, after the revised taxonomy of Anderson and Krathwohl (2001)."""

    REMEMBER = "remember"
    UNDERSTAND = "understand"
    APPLY = "apply"
    ANALYSE = "analyse"


class Shape(StrEnum):
    """The mark that stands before a judgement; its meaning is repeated in words."""

    RIGHT = "right"
    WRONG = "wrong"
    PARTLY = "begun"
    OPEN = "open"


class KeyLength(StrEnum):
    """How long the right option looks among the others."""

    LONGEST = "longest"
    SHORTEST = "shortest"
    BETWEEN = "between"


@dataclass(frozen=True)
class Cause:
    """What leads to a wrong answer: a misconception, or a slip behind which no belief stands."""

    id: str
    label: str

    @property
    def is_slip(self) -> bool:
        return self.id.startswith("slip-")


@dataclass(frozen=True)
class Explanation:
    """Why something is right or wrong, and where on the question's own card it is taught."""

    why: str  # Markdown
    see: str  # id of a section


@dataclass(frozen=True)
class Question:
    """A question as its author wrote it, or as a snapshot keeps it."""

    id: str  # "<concept>/<slug>"
    concept_id: str
    kind: str
    pool: Pool
    bloom: Bloom
    facts: tuple[str, ...]
    enemies: tuple[str, ...]  # ids of questions that never stand in one paper with this one
    stem: str  # Markdown
    task: Any  # what the kind needs beyond that; only the kind knows its type

    @property
    def slug(self) -> str:
        return self.id.partition("/")[2]


@dataclass(frozen=True)
class Variant:
    """What chance decided for one learner: the numbers of a question and the order of its options."""

    parameters: Mapping[str, Number]
    option_order: tuple[str, ...]


@dataclass(frozen=True)
class Posed(Generic[Task]):
    """A task as one learner meets it."""

    task: Task
    variant: Variant


@dataclass(frozen=True)
class Answer:
    """What a learner gave, in the kind's own terms: option ids, or a number as typed and as read. Never empty."""

    parts: tuple[str, ...]


@dataclass(frozen=True)
class Unreadable:
    """What a learner gave cannot be read, so it is no answer; the reason is a whole sentence for the learner."""

    reason: str
    given: tuple[str, ...] = ()  # all that was typed, as an answer would hold it; nothing where nothing can be mended
    fields: tuple[str, ...] = ()  # of several fields, the names of those that cannot be read


@dataclass(frozen=True)
class Marked:
    """What an answer is worth, from 0 to 1, and what it shows about the belief behind it."""

    fraction: Fraction
    causes: tuple[Cause, ...]

    @property
    def is_right(self) -> bool:
        return self.fraction == 1


@dataclass(frozen=True)
class Figure:
    """What a page shows that is no running text, such as code: a template, and what it calls `figure`."""

    template: str
    content: object


@dataclass(frozen=True)
class Note:
    """One entry of the commentary after an answer: what was said or offered, and why it is right or wrong."""

    shape: Shape
    label: str  # such as "Your pick"
    is_mine: bool
    said: str  # Markdown
    why: str  # Markdown
    see: str  # id of a section of the question's own card
    cause: Cause | None = None
    figure: Figure | None = None  # what was said or offered, where inline Markdown cannot say it
    also: Explanation | None = None  # the second reason, where two things stand together wrongly


@dataclass(frozen=True)
class Commentary:
    """The judgement of an answer in one line, then every explanation, the learner's own first."""

    shape: Shape
    word: str  # such as "Not this one."
    reason: str  # Markdown; one sentence, or nothing where the word says it all
    notes: tuple[Note, ...]
    figure: Figure | None = None  # the whole of what was given, beside what is right


@dataclass(frozen=True)
class Grounds:
    """What a question may refer to: its own card's sections and facts, and the causes that the module knows.

    `rendered` are the texts of its bank that are known to be in order.
    """

    concept_id: str
    sections: frozenset[str]
    facts: frozenset[str]
    causes: Mapping[str, Cause]
    rendered: Rendered


def parts_of(task: Any, wanted: type[Part]) -> Iterator[Part]:
    """Yield every value of one type in a task, such as each Cause or Explanation, wherever its kind keeps them."""
    if isinstance(task, wanted):
        yield task
    elif is_dataclass(task):
        for field in fields(task):
            yield from parts_of(getattr(task, field.name), wanted)
    elif isinstance(task, Mapping):
        for each in task.values():
            yield from parts_of(each, wanted)
    elif isinstance(task, tuple | list):
        for each in task:
            yield from parts_of(each, wanted)


class Kind(ABC, Generic[Task]):
    """A kind of question. `name` is what banks write; the template of the answer control is named after it."""

    name: ClassVar[str]

    @property
    def control_template(self) -> str:
        return f"quizzes/kinds/{self.name}.html"

    @abstractmethod
    def parse(self, fields: Fields, grounds: Grounds) -> Task | None:
        """Return the task that a bank's entry describes, or None after reporting its faults."""

    @abstractmethod
    def freeze(self, task: Task) -> dict[str, Any]:
        """Return the whole task as JSON values, from which `thaw` makes it again."""

    @abstractmethod
    def thaw(self, body: Mapping[str, Any]) -> Task:
        """Return the task that `freeze` wrote."""

    @abstractmethod
    def marking_key(self, task: Task) -> Any:
        """Return, as JSON values, everything that decides a mark and nothing else."""

    def key_length(self, task: Task) -> KeyLength | None:  # noqa: ARG002
        """Return how long the right option is among the others, None for a kind without one right option of many."""
        return None

    @abstractmethod
    def draw(self, task: Task, *, seed: str, question_id: str) -> Variant:
        """Return the variant that this seed gives."""

    def variants(self, task: Task) -> Sequence[Mapping[str, Number]]:  # noqa: ARG002
        """Return the numbers of every variant in the task's own order; where nothing is drawn there is one, empty."""
        return ({},)

    def fill(self, text: str, posed: Posed[Task]) -> str:  # noqa: ARG002
        """Return a Markdown text of the question with the variant's numbers in it."""
        return text

    def exhibit(self, posed: Posed[Task]) -> tuple[Figure, ...]:  # noqa: ARG002
        """Return what belongs to the question and is no text: shown below the stem, before an answer and after it."""
        return ()

    @abstractmethod
    def control(self, posed: Posed[Task], answer: Answer | None) -> object:
        """Return what the template of the answer control shows. It reveals nothing about the key."""

    @abstractmethod
    def read(self, posed: Posed[Task], posted: Mapping[str, Sequence[str]]) -> Answer | Unreadable | None:
        """Return the answer that a form holds, None where it was left open, or why it cannot be read."""

    def read_back(self, answer: Answer) -> str:  # noqa: ARG002
        """Return what an answer was read as, where reading needs judgement; a receipt then says it."""
        return ""

    @abstractmethod
    def mark(self, posed: Posed[Task], answer: Answer | None) -> Marked:
        """Return what the answer is worth; an open question earns nothing."""

    @abstractmethod
    def comment(self, posed: Posed[Task], answer: Answer | None) -> Commentary:
        """Return every explanation, the learner's own first."""
