from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.paper import Blueprint, Draw, Order, PaperCannotBeDrawn, draw_paper
from quizzes.questions import Bloom, Pool, Question
from tests.quizzes.making import make_question

BLUEPRINT = Blueprint(name="t", title="T", minutes=None, attempts=1, draws=(Draw("attention", 4),))


def pool(size: int = 8, enemies: tuple[tuple[int, int], ...] = ()) -> dict[str, Question]:
    questions = {}
    for number in range(size):
        mine = tuple(f"attention/q{b}" for a, b in enemies if a == number)
        kind = ("single", "multi", "numeric")[number % 3]
        questions[f"attention/q{number}"] = make_question(kind, slug=f"q{number}", enemies=mine)
    return questions


def ids(paper):
    return [line.question.id for line in paper]


@given(st.text(max_size=8))
def test_the_same_seed_gives_the_same_paper_whatever_the_order_of_the_file(seed):
    questions = pool()
    backwards = dict(reversed(list(questions.items())))

    assert draw_paper(BLUEPRINT, questions, seed) == draw_paper(BLUEPRINT, backwards, seed)


@given(st.text(max_size=8))
def test_enemies_never_meet(seed):
    """q0 fights three others: a paper has it alone or not at all, and is never short for it."""
    drawn = ids(draw_paper(BLUEPRINT, pool(6, enemies=((0, 1), (0, 2), (3, 0))), seed))

    assert len(drawn) == 4
    assert "attention/q0" not in drawn or not {"attention/q1", "attention/q2", "attention/q3"} & set(drawn)


@given(st.text(max_size=8))
def test_a_first_choice_that_leaves_too_few_is_taken_back(seed):
    """Of five, q0 fights all but one; four can only be the other four."""
    drawn = ids(draw_paper(BLUEPRINT, pool(5, enemies=((0, 1), (0, 2), (0, 3))), seed))

    assert sorted(drawn) == [f"attention/q{n}" for n in range(1, 5)]


def test_other_seeds_give_other_papers():
    questions = pool()

    assert len({tuple(ids(draw_paper(BLUEPRINT, questions, str(seed)))) for seed in range(30)}) > 10


def test_practice_questions_are_never_drawn():
    questions = pool(5)
    questions["attention/p0"] = replace(make_question(slug="p0"), pool=Pool.PRACTICE)

    assert not any("attention/p0" in ids(draw_paper(BLUEPRINT, questions, str(seed))) for seed in range(20))


def test_a_test_for_practice_draws_practice_questions_alone():
    questions = pool(5)
    for number in range(4):
        questions[f"attention/p{number}"] = replace(make_question(slug=f"p{number}"), pool=Pool.PRACTICE)

    drawn = ids(draw_paper(replace(BLUEPRINT, pool=Pool.PRACTICE), questions, "1"))

    assert sorted(drawn) == [f"attention/p{number}" for number in range(4)]


def test_too_small_a_pool_is_an_error_that_says_so():
    with pytest.raises(PaperCannotBeDrawn, match="asks for 4 of attention, whose test pool has 3"):
        draw_paper(BLUEPRINT, pool(3), "1")
    with pytest.raises(PaperCannotBeDrawn):
        draw_paper(BLUEPRINT, pool(4, enemies=((0, 1),)), "1")


TWO_CONCEPTS = Blueprint(
    name="t",
    title="T",
    minutes=None,
    attempts=1,
    draws=(Draw("attention", 3), Draw("masks", 3)),
    at_most={"numeric": 2},
)


def two_pools() -> dict[str, Question]:
    """Two concepts with two numeric questions in six each, so that four could meet."""
    own = pool(6)
    others = {
        each.id: each
        for each in (
            replace(question, id=question.id.replace("attention", "masks"), concept_id="masks")
            for question in own.values()
        )
    }
    return own | others


@given(st.text(max_size=8))
def test_a_kind_stays_within_its_limit_over_all_concepts(seed):
    drawn = draw_paper(TWO_CONCEPTS, two_pools(), seed)

    assert [line.question.concept_id for line in drawn] == ["attention"] * 3 + ["masks"] * 3
    assert sum(line.question.kind == "numeric" for line in drawn) <= 2


def test_a_limit_that_no_choice_keeps_is_said():
    numeric = {name: make_question("numeric", slug=name.partition("/")[2]) for name in ("attention/a", "attention/b")}
    blueprint = replace(BLUEPRINT, draws=(Draw("attention", 2),), at_most={"numeric": 1})

    with pytest.raises(PaperCannotBeDrawn, match="at most 1 numeric"):
        draw_paper(blueprint, numeric, "1")


def test_a_limit_on_a_bloom_level_is_one_like_that_of_a_kind():
    with pytest.raises(PaperCannotBeDrawn, match="at most 5 apply"):
        draw_paper(replace(TWO_CONCEPTS, at_most={"apply": 5}), two_pools(), "1")


def a_whole_module() -> tuple[Blueprint, dict[str, Question]]:
    """Nineteen concepts with nine questions each, a third of them numeric, every fifth asking to analyse."""
    questions = {}
    for concept in range(19):
        for number, question in enumerate(pool(9).values()):
            id_ = question.id.replace("attention", f"c{concept}")
            bloom = Bloom.ANALYSE if (concept + number) % 5 == 0 else Bloom.APPLY
            questions[id_] = replace(question, id=id_, concept_id=f"c{concept}", bloom=bloom)
    draws = tuple(Draw(f"c{concept}", 3) for concept in range(19))
    return replace(BLUEPRINT, draws=draws), questions


@given(st.text(max_size=8))
def test_a_paper_holds_at_least_and_at_most_what_its_blueprint_asks_of_kinds_and_levels(seed):
    """By chance it would hold 19 of each kind and 11 that ask to analyse."""
    blueprint, questions = a_whole_module()
    blueprint = replace(blueprint, at_least={"numeric": 24, "multi": 16, "analyse": 15}, at_most={"numeric": 24})

    drawn = [line.question for line in draw_paper(blueprint, questions, seed)]

    assert sum(question.kind == "numeric" for question in drawn) == 24
    assert sum(question.kind == "multi" for question in drawn) >= 16
    assert sum(question.bloom is Bloom.ANALYSE for question in drawn) >= 15
    assert [question.concept_id for question in drawn] == [f"c{concept}" for concept in range(19) for _ in range(3)]


def test_bounds_that_contradict_each_other_are_said_and_cost_no_endless_search():
    blueprint, questions = a_whole_module()

    with pytest.raises(PaperCannotBeDrawn, match="at least 20 numeric, at most 19 numeric"):
        draw_paper(replace(blueprint, at_least={"numeric": 20}, at_most={"numeric": 19}), questions, "1")


def test_a_mixed_paper_has_the_same_questions_in_an_order_of_its_own():
    blueprint, questions = a_whole_module()

    straight, mixed = (draw_paper(replace(blueprint, order=order), questions, "1") for order in Order)

    assert sorted(ids(straight)) == sorted(ids(mixed))
    assert ids(straight) != ids(mixed)
    assert mixed == draw_paper(replace(blueprint, order=Order.MIXED), questions, "1")
