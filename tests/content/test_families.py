"""Every family of the course, over its whole grid: what a learner would type is marked and diagnosed rightly."""

import re

import pytest

from quizzes.marking import comment, mark
from quizzes.numeric_grid import NumericTask
from quizzes.paper import variant_of
from quizzes.questions import Answer, Posed, Question, Variant
from quizzes.registry import kind_of
from tests.content.golden_variants import families, table

FAMILIES = families()
NUMERIC = [pytest.param(each, id=id_) for id_, each in FAMILIES.items() if isinstance(each.task, NumericTask)]


def typed(question: Question, variant: Variant, shown: str) -> Answer:
    """What reading gives for a value as a commentary shows it, unit and all."""
    answer = kind_of(question.kind).read(Posed(question.task, variant), {"number": [shown]})
    assert isinstance(answer, Answer), (shown, answer)
    return answer


@pytest.mark.parametrize("question", NUMERIC)
def test_the_key_as_shown_is_right_and_each_wrong_value_as_shown_gets_its_own_cause(question):
    for parameters in question.task.grid():
        variant = Variant(parameters=parameters, option_order=())
        shown = {note.cause: note.said for note in comment(question, variant, None).notes}
        assert set(shown) == {None, *(wrong.cause for wrong in question.task.wrong)}
        for cause, said in shown.items():
            answer = typed(question, variant, said)
            marked = mark(question, variant, answer)
            first = comment(question, variant, answer).notes[0]
            assert marked.causes == ((cause,) if cause else ()), (parameters, said)
            assert marked.fraction == (0 if cause else 1), (parameters, said)
            assert (first.is_mine, first.cause) == (True, cause)


@pytest.mark.parametrize("question", NUMERIC)
def test_no_text_of_a_family_shows_a_placeholder(question):
    for parameters in question.task.grid():
        variant = Variant(parameters=parameters, option_order=())
        for note in comment(question, variant, None).notes:
            assert not re.search(r"\[\[|\]\]", note.why + note.said)


def test_the_golden_table_has_every_family():
    """After writing one, add it: python -m tests.content.golden_variants"""
    assert set(FAMILIES) <= set(table())


@pytest.mark.parametrize("id_", sorted(table()))
def test_the_same_seed_gives_the_same_numbers_for_ever(id_):
    for seed, parameters in table()[id_].items():
        assert dict(variant_of(FAMILIES[id_], seed).parameters) == parameters
