"""The papers that the course draws: bounds kept, no enemies together, and nothing that practice has explained."""

from collections import Counter
from functools import cache

import pytest

from quizzes.paper import draw_paper
from quizzes.questions import Pool
from tests.content.reading import bank

BANK = bank()
SEEDS = [f"learner-{number}" for number in range(100)]
PRACTICE = [each for each in BANK.blueprints.values() if each.pool is Pool.PRACTICE]


@cache
def papers(name):
    return [[line.question for line in draw_paper(BANK.blueprints[name], BANK.questions, seed)] for seed in SEEDS]


def test_the_module_test_asks_two_questions_of_every_concept_and_a_third_of_numbers_at_most():
    blueprint = BANK.blueprints["module-test"]

    assert {draw.concept_id: draw.count for draw in blueprint.draws} == dict.fromkeys(BANK.self_checks, 2)
    assert blueprint.at_most["numeric"] * 3 <= blueprint.question_count == 38


def test_a_hundred_module_tests_meet_their_blueprint():
    blueprint = BANK.blueprints["module-test"]
    wanted = Counter({draw.concept_id: draw.count for draw in blueprint.draws})
    for paper in papers("module-test"):
        traits = Counter(question.kind for question in paper) + Counter(question.bloom.value for question in paper)
        assert Counter(question.concept_id for question in paper) == wanted
        assert all(traits[name] <= most for name, most in blueprint.at_most.items())
        assert all(traits[name] >= least for name, least in blueprint.at_least.items())


def test_no_enemies_meet_and_nothing_stands_twice_in_a_hundred_papers():
    for paper in papers("module-test"):
        ids = {question.id for question in paper}
        assert len(ids) == len(paper)
        assert not any(ids & set(question.enemies) for question in paper)


def test_a_paper_has_nothing_that_practice_or_a_self_check_explains():
    open_meanwhile = [each for each in BANK.questions.values() if each.pool is Pool.PRACTICE]
    open_meanwhile += BANK.self_checks.values()
    stems = {question.stem for question in open_meanwhile}
    for paper in papers("module-test"):
        assert all(question.pool is Pool.TEST and question.stem not in stems for question in paper)


def test_every_question_of_the_test_pool_is_drawn_for_somebody():
    """Exposure: an item that the bounds keep out of every paper is written for nobody."""
    drawn = Counter(question.id for paper in papers("module-test") for question in paper)
    concepts = {draw.concept_id for draw in BANK.blueprints["module-test"].draws}
    pool = {each.id for each in BANK.questions.values() if each.pool is Pool.TEST and each.concept_id in concepts}

    assert pool == set(drawn)


@pytest.mark.parametrize("blueprint", PRACTICE, ids=lambda each: each.name)
def test_a_practice_test_is_the_same_for_everybody_and_as_long_as_the_real_one(blueprint):
    paper = draw_paper(blueprint, BANK.questions, blueprint.seed)

    assert {line.question.pool for line in paper} == {Pool.PRACTICE}
    assert Counter(line.question.concept_id for line in paper) == dict.fromkeys(BANK.self_checks, 2)


def test_two_practice_tests_share_no_more_than_half():
    first, second = ({line.question.id for line in draw_paper(each, BANK.questions, each.seed)} for each in PRACTICE)

    assert len(first & second) * 2 <= len(first)
