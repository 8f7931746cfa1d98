"""A question as its page shows it before an answer is final. Nothing that leaves here reveals a key. Pure."""

import re
from dataclasses import dataclass

from courseware.concepts.markup import render_block, render_inline
from quizzes.questions import Answer, Figure, Posed, Question, Variant
from quizzes.registry import kind_of


@dataclass(frozen=True)
class Stem:
    """The question's first paragraph, which can be a heading, what follows it, and what it is about."""

    heading: str  # safe HTML
    rest: str  # safe HTML
    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Shown:
    """A question ready for its template."""

    kind: str
    stem: Stem
    control: object
    control_template: str


def present(question: Question, variant: Variant, answer: Answer | None) -> Shown:
    """Return the question with the variant's numbers and what has been answered so far."""
    kind = kind_of(question.kind)
    return Shown(
        kind=question.kind,
        stem=stem(question, variant),
        control=kind.control(Posed(question.task, variant), answer),
        control_template=kind.control_template,
    )


def stem(question: Question, variant: Variant) -> Stem:
    """Return the stem with the variant's numbers."""
    kind, posed = kind_of(question.kind), Posed(question.task, variant)
    heading, *rest = re.split(r"\n\s*\n", kind.fill(question.stem, posed).strip(), maxsplit=1)
    return Stem(
        heading=render_inline(heading),
        rest=render_block(rest[0]) if rest else "",
        figures=kind.exhibit(posed),
    )
