from dataclasses import replace

import pytest

from quizzes.freezing import freeze, thaw
from tests.quizzes.making import TEXTS, make_question


@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_a_frozen_question_is_the_same_question(kind):
    question = make_question(kind, enemies=("attention/two",))

    assert thaw(freeze(question).body) == question


@pytest.mark.parametrize("kind", sorted(TEXTS))
def test_a_mended_explanation_changes_the_content_and_not_the_marking(kind):
    before = freeze(make_question(kind))
    after = freeze(make_question(kind, text=TEXTS[kind].replace("goes on long", "goes on quite long")))

    assert before.content_digest != after.content_digest
    assert before.marking_digest == after.marking_digest


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [
        ("single", "id: width", "id: breadth"),
        ("multi", "- {id: c, right: true,", "- {id: c, slip: slip-arith,"),
        ("numeric", "{abs: 0.01}", "{abs: 0.02}"),
        ("numeric", "answer: k * sqrt(n)", "answer: k * sqrt(n) + 1"),
        ("numeric", "[1, 2]", "[1, 2, 3]"),
    ],
)
def test_what_decides_a_mark_changes_the_marking_digest(kind, old, new):
    after = make_question(kind, text=TEXTS[kind].replace(old, new))

    assert freeze(make_question(kind)).marking_digest != freeze(after).marking_digest


def test_two_questions_with_the_same_words_are_two_versions():
    question = make_question()

    assert freeze(question).content_digest != freeze(replace(question, id="attention/other")).content_digest


def test_a_later_layout_is_refused():
    body = freeze(make_question()).body.replace('"version":1', '"version":2')

    with pytest.raises(ValueError, match="layout 2"):
        thaw(body)
