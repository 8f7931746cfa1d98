from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.paper import Blueprint, Draw, PaperCannotBeDrawn, draw_paper
from quizzes.questions import Pool, Question
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
