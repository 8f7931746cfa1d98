"""Practising: which questions there are, which comes next and in which variant."""

import json

import pytest

from courseware.concepts.course import current
from quizzes import practice_lists, practice_pool
from quizzes.catalogue import current_bank
from quizzes.questions import Pool
from tests.factories import make_user
from tests.quizzes.making import make_question
from tests.quizzes.practising import CONCEPT, keep_answer, of_kind

pytestmark = pytest.mark.django_db


def test_every_variant_of_a_family_comes_once_before_one_comes_again():
    family = make_question("numeric")
    count = practice_pool.variant_count(family)

    met = [practice_pool.variant(family, seed="ada", number=number).parameters for number in range(1, 2 * count + 1)]

    assert count == 7
    assert len({json.dumps(each) for each in met[:count]}) == count
    assert met[count:] == met[:count]


def test_learners_meet_the_variants_in_different_orders_and_always_in_the_same():
    family = make_question("numeric")
    orders = {
        seed: [practice_pool.variant(family, seed=seed, number=number).parameters for number in range(1, 8)]
        for seed in ("ada", "alan", "grace")
    }

    assert len({json.dumps(each) for each in orders.values()}) == 3
    assert orders["ada"] == [
        practice_pool.variant(family, seed="ada", number=number).parameters for number in range(1, 8)
    ]


@pytest.mark.parametrize(
    ("kind", "number", "said"),
    [
        ("numeric", 1, "Variant 1 of 7."),
        ("numeric", 7, "Variant 7 of 7."),
        ("numeric", 8, "You have seen all 7 variants; they start again."),
        ("numeric", 9, "Variant 2 of 7, which you have seen before."),
        ("numeric", 15, "You have seen all 7 variants; they start again."),
        ("single", 1, ""),
        ("single", 2, "You have answered this question before; it has one variant."),
    ],
)
def test_a_learner_is_told_which_variant_it_is_and_when_they_repeat(kind, number, said):
    assert practice_pool.counted(make_question(kind), number) == said


def test_the_options_of_a_question_that_comes_again_stand_in_another_order():
    question = make_question("multi")

    orders = {practice_pool.variant(question, seed="ada", number=number).option_order for number in range(1, 9)}

    assert len(orders) > 1


def test_only_the_practice_pool_is_practised():
    for concept in current().module.concepts:
        assert all(each.pool is Pool.PRACTICE for each in practice_pool.of_concept(concept.id))
    test_question = next(each for each in current_bank().questions.values() if each.pool is Pool.TEST)
    assert practice_pool.question(test_question.id) is None


def test_a_misconception_is_practised_by_the_questions_in_which_it_leads_astray():
    question = of_kind("single")
    causes = {each.cause.id for each in question.task.options if each.cause and not each.cause.is_slip}

    assert causes
    for cause in causes:
        found = practice_pool.of_idea(cause)
        assert question in found
        assert all(f'"{cause}"' in json.dumps(_frozen(each)) for each in found)
    assert practice_pool.of_idea("m99-unheard-of") == ()


def _frozen(question):
    from quizzes.registry import kind_of

    return kind_of(question.kind).freeze(question.task)


def test_what_is_new_comes_first_then_what_went_wrong_and_nothing_twice_in_a_row():
    user = make_user()
    pool = practice_pool.of_concept(CONCEPT)
    assert len(pool) >= 3
    singles = [each for each in pool if each.kind == "single"]
    order = []
    for _ in range(len(pool)):
        following = practice_lists.of_concept(user, CONCEPT).next
        order.append(following)
        wrong = following == singles[0]
        keep_answer(user, following, is_right=not wrong)

    after = practice_lists.of_concept(user, CONCEPT).next

    assert order == list(pool)
    assert after == (singles[0] if order[-1] != singles[0] else pool[0])
    keep_answer(user, after, is_right=False)
    assert practice_lists.of_concept(user, CONCEPT).next != after


def test_progress_counts_questions_and_not_answers():
    user, question = make_user(), of_kind("single")
    for _ in range(2):
        keep_answer(user, question, is_right=False)

    found = practice_lists.of_concept(user, question.concept_id)

    assert found.progress.answered == 1
    assert practice_lists.progress_in(user, question.concept_id) == found.progress
    assert practice_lists.progress_in(make_user(), question.concept_id).answered == 0
