"""What the course prints, as the tests of its numbers read it, and the softmax that they compute anew."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from courseware.concepts.course import Course, load_course
from courseware.concepts.faults import Faults
from quizzes.bank import Bank, load_bank
from quizzes.questions import Question

COURSE = Path(__file__).parents[2] / "courseware/content"
MODULE = COURSE / "05-transformers"


@cache
def course() -> Course:
    """Return the course, without a fault."""
    faults = Faults()
    found = load_course(COURSE, faults)
    faults.raise_if_any()
    return found


@cache
def bank() -> Bank:
    """Return everything that the course may ask."""
    faults = Faults()
    found = load_bank(course(), faults)
    faults.raise_if_any()
    return found


def questions() -> Mapping[str, Question]:
    """Return every question of the course by its id, without the self-checks."""
    return bank().questions


def words_of(path: Path) -> str:
    """Return the text of a file with its line breaks taken out, so that a sentence can be looked for whole."""
    return " ".join(path.read_text(encoding="utf-8").split())


def rows_of_table(card: Path, head: str) -> list[list[str]]:
    """Return the cells of the table of a card that has this head."""
    lines = card.read_text(encoding="utf-8").split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(f"| {head} |")) + 2
    end = next(at for at in range(start, len(lines)) if not lines[at].startswith("|"))
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[start:end]]


def softmax(scores: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """Return the plain one, row by row unless told otherwise: a row without an allowed key becomes 0 divided by 0."""
    with np.errstate(invalid="ignore"):
        exponentials = np.exp(scores - scores.max(axis=axis, keepdims=True))
    return exponentials / exponentials.sum(axis=axis, keepdims=True)
