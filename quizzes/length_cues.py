"""Whether a learner could find right options by their length alone, without reading them.

Counted over a bank and over a module, since one question shows nothing. Pure.
"""

from collections.abc import Sequence
from pathlib import Path

from courseware.concepts.faults import Faults
from courseware.concepts.sources import Fields
from quizzes.questions import KeyLength, Question
from quizzes.registry import kind_of

FEWEST_FOR_SHARES = 20  # with fewer questions one more or less moves a share by over 5 %
SHARES = (0.15, 0.35)  # among four options of random lengths a quarter of the keys is longest, a quarter shortest


def key_length(question: Question) -> KeyLength | None:
    """Return how long a question's right option is among the others, None where there is nothing to compare."""
    return kind_of(question.kind).key_length(question.task)


def check_bank(fields: Fields, questions: Sequence[Question]) -> None:
    """Report a bank in which picking the longest option would be right more than once."""
    longest = [question.id for question in questions if key_length(question) is KeyLength.LONGEST]
    if len(longest) > 1:
        fields.fault("questions", f"the right option is the longest in {', '.join(longest)}; allow it once in a bank")


def check_module(path: Path, faults: Faults, questions: Sequence[Question]) -> None:
    """Report, against the module's file, that picking the longest or the shortest option would pay."""
    lengths = [length for length in map(key_length, questions) if length is not None]
    if len(lengths) < FEWEST_FOR_SHARES:
        return
    for extreme in (KeyLength.LONGEST, KeyLength.SHORTEST):
        count = lengths.count(extreme)
        if not SHARES[0] <= count / len(lengths) <= SHARES[1]:
            faults.add(
                path,
                1,
                "concepts",
                f"the right option is the {extreme} in {count} of {len(lengths)} questions with options; "
                f"keep it within {SHARES[0]:.0%} to {SHARES[1]:.0%}, or learners will go by the length",
            )
