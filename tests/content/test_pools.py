"""What the banks hold together: both pools have every kind that is in use, and a paper need not be all numbers."""

import itertools

import pytest

from quizzes.questions import Bloom, Pool
from tests.content.reading import questions

QUESTIONS = tuple(questions().values())
CONCEPTS = sorted({each.concept_id for each in QUESTIONS})


def of(concept_id, pool):
    return [each for each in QUESTIONS if each.concept_id == concept_id and each.pool is pool]


@pytest.mark.parametrize("concept_id", CONCEPTS)
@pytest.mark.parametrize("pool", [Pool.TEST, Pool.PRACTICE])
def test_a_pool_has_several_kinds(concept_id, pool):
    assert len({each.kind for each in of(concept_id, pool)}) >= 2


def test_both_pools_have_every_kind_in_use():
    kinds = {pool: {each.kind for each in QUESTIONS if each.pool is pool} for pool in (Pool.TEST, Pool.PRACTICE)}

    assert kinds[Pool.TEST] == kinds[Pool.PRACTICE]


@pytest.mark.parametrize("concept_id", CONCEPTS)
def test_three_questions_that_are_no_numbers_fit_one_paper(concept_id):
    chosen = [each for each in of(concept_id, Pool.TEST) if each.kind != "numeric"]

    assert any(
        not any(other.id in one.enemies for one, other in itertools.permutations(three, 2))
        for three in itertools.combinations(chosen, 3)
    )


@pytest.mark.parametrize("concept_id", CONCEPTS)
def test_at_least_half_of_a_bank_asks_to_understand_and_a_quarter_to_apply(concept_id):
    asked = [each.bloom for each in QUESTIONS if each.concept_id == concept_id]

    assert sum(bloom is not Bloom.REMEMBER for bloom in asked) * 2 >= len(asked)
    assert sum(bloom in (Bloom.APPLY, Bloom.ANALYSE) for bloom in asked) * 4 >= len(asked)
