"""What a course holds, counted: questions by concept, kind, pool and level; explanations; beliefs; ease of reading.

For authors. Reads the loaded course, bank and exercises, and decides nothing.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from courseware.concepts.course import Course
from courseware.concepts.modules import Concept
from grader.exercises import Exercise
from quizzes.bank import Bank
from quizzes.questions import Bloom, Cause, Explanation, Pool, Question, parts_of

_TAG = re.compile(r"<[^>]*>")
_VOWELS = re.compile(r"[aeiouy]+")


@dataclass(frozen=True)
class Counted:
    """The tables of one course, each with its head; every row has as many cells as the head."""

    concepts: Sequence[Sequence[str]]
    kinds: Sequence[Sequence[str]]
    totals: Mapping[str, int]
    unused: Sequence[str]  # ids of misconceptions that no question and no program shows


def count(course: Course, bank: Bank, exercises: Collection[Exercise]) -> Counted:
    """Return the tables of a course."""
    questions = list(bank.questions.values())
    everything = [*questions, *bank.self_checks.values()]
    shown = {cause.id for question in everything for cause in parts_of(question.task, Cause)}
    shown |= {variant.belief for exercise in exercises for variant in exercise.variants}
    # The text of a step or of a half of a pair is an explanation; so is that of a right answer.
    explanations = sum(1 for question in everything for _ in parts_of(question.task, Explanation))
    unused = sorted(course.misconceptions.keys() - shown)
    totals = {
        "concepts with a card": sum(concept.card is not None for concept in course.concepts()),
        "questions": len(questions),
        "of these without matrix": sum(question.kind != "matrix" for question in questions),
        "self-checks": len(bank.self_checks),
        "explanations": explanations,
        "misconceptions": len(course.misconceptions),
        "misconceptions used": len(course.misconceptions) - len(unused),
        "slips used": len(course.slips.keys() & shown),
        "exercises": len(exercises),
        "known-wrong programs": sum(len(exercise.variants) for exercise in exercises),
    }
    return Counted(_concepts(course, questions), _kinds(questions), totals, unused)


def _concepts(course: Course, questions: Sequence[Question]) -> list[list[str]]:
    head = ["concept", "questions", "test", "practice", *Bloom, "words a line", "grade"]
    rows = []
    for concept in course.concepts():
        own = [question for question in questions if question.concept_id == concept.id]
        pools, levels = Counter(question.pool for question in own), Counter(question.bloom for question in own)
        counts = [len(own), pools[Pool.TEST], pools[Pool.PRACTICE], *(levels[level] for level in Bloom)]
        rows.append([f"{concept.number:2} {concept.id}", *map(str, counts), *_reading(concept)])
    return [head, *rows]


def _kinds(questions: Sequence[Question]) -> list[list[str]]:
    found = Counter((question.kind, question.pool) for question in questions)
    rows = [
        [kind, *(str(found[kind, pool]) for pool in (Pool.TEST, Pool.PRACTICE))]
        for kind in sorted({question.kind for question in questions})
    ]
    return [["kind", "test", "practice"], *rows]


def _reading(concept: Concept) -> tuple[str, str]:
    """Return the mean length of a card's lines in words, and the school grade that they ask for.

    The grade is Flesch and Kincaid's: 0.39 words a sentence + 11.8 syllables a word - 15.59 (Kincaid et al. 1975).
    Syllables are runs of vowels, which is right for about nine words of ten: a hint and no limit.
    """
    if concept.card is None:
        return "", ""
    lines = [_TAG.sub("", line) for line in (*concept.card.five_lines, *concept.card.fifteen_lines)]
    words = [word for line in lines for word in re.findall(r"[a-z]+", line.lower())]
    a_line = len(words) / len(lines)
    grade = 0.39 * a_line + 11.8 * sum(map(_syllables, words)) / len(words) - 15.59
    return f"{a_line:.1f}", f"{grade:.1f}"


def _syllables(word: str) -> int:
    silent = word.endswith("e") and not word.endswith("le") and len(word) > 2
    return max(1, len(_VOWELS.findall(word)) - silent)


def aligned(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield the lines of a table: the first column to the left, numbers to the right."""
    rows = list(rows)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        yield "  ".join(cells).rstrip()
