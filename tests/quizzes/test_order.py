"""Steps in order: each pair of neighbours is judged by itself, and a wrong one by the two bonds that it breaks."""

import json
import re
import string
from fractions import Fraction
from itertools import pairwise, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.commentary import explained
from quizzes.marking import comment, mark
from quizzes.paper import variant_of
from quizzes.questions import Answer, Posed, Shape, Unreadable
from quizzes.registry import kind_of
from tests.quizzes.making import TEXTS, make_question, parse

QUESTION = make_question("order")
TASK = QUESTION.task
KIND = kind_of("order")
RIGHT = tuple(step.id for step in TASK.steps)
WHY = {step.id: step.explanation.why for step in TASK.steps}
VARIANT = variant_of(QUESTION, "7")
POSED = Posed(TASK, VARIANT)

orders = st.permutations(RIGHT).map(tuple)
seeds = st.text(alphabet=string.hexdigits, max_size=16)


def posted_by(control, move: str = "") -> dict[str, list[str]]:
    """What a browser would send of a control: the fields as they stand, and the button that was pressed."""
    fields = {"step": [step.value for step in control.steps]}
    if control.is_own:
        fields["own"] = ["1"]
    return fields | ({"move": [move]} if move else {})


def notes_of(order):
    return comment(QUESTION, VARIANT, Answer(order)).notes


def test_the_right_order_gets_full_marks_and_no_other_does():
    for order in permutations(RIGHT):
        assert (mark(QUESTION, VARIANT, Answer(order)).fraction == 1) == (order == RIGHT)


@given(orders)
def test_the_mark_is_the_share_of_neighbours_that_are_right(order):
    right = sum(RIGHT.index(other) == RIGHT.index(one) + 1 for one, other in pairwise(order))

    assert mark(QUESTION, VARIANT, Answer(order)).fraction == Fraction(right, 4)


def test_every_pair_of_every_order_is_confirmed_or_explained_by_the_two_bonds_it_breaks():
    for order in permutations(RIGHT):
        first, *pairs = notes_of(order)
        assert WHY[order[0]] in first.why
        assert (first.shape is Shape.RIGHT) == (order[0] == RIGHT[0])
        for note, (one, other) in zip(pairs, pairwise(order), strict=True):
            assert TASK.step(one).text in note.said
            assert TASK.step(other).text in note.said
            after = TASK.after(TASK.step(one))
            if after and after.id == other:
                assert (note.shape, note.why, note.also) == (Shape.RIGHT, WHY[other], None)
            else:
                assert note.shape is Shape.WRONG
                assert (WHY[after.id] if after else "the last step") in note.why
                assert WHY[other] in note.also.why


@given(orders)
def test_every_step_is_explained_on_the_page_whatever_the_order(order):
    entries = explained(QUESTION, VARIANT, Answer(order)).entries

    for step in TASK.steps:
        word = step.explanation.why.split()[0]
        assert any(word in entry.why + entry.also for entry in entries)


def test_the_two_reasons_of_a_wrong_pair_say_which_step_is_missing():
    note = notes_of(("project", "scale", "score", "share", "mix"))[1]

    assert note.why.startswith(r"After “Project the rows to queries and keys” comes “Multiply $Q$ by $K^\top$”.")
    assert note.also.why.startswith(r"Before “Divide by $\sqrt{d_k}$” comes “Multiply $Q$ by $K^\top$”.")


def test_a_step_after_the_last_one_and_the_first_one_in_the_middle_are_told_so():
    *_, note = notes_of(("score", "scale", "share", "mix", "project"))

    assert note.why == "Nothing comes after “Mix the values with the weights”, the last step."
    assert note.also.why.startswith("“Project the rows to queries and keys” is the first step.")


@pytest.mark.parametrize(
    ("order", "ideas"),
    [
        ("project score share scale mix", {"m03-divide-by-dk"}),
        ("project score share mix scale", {"m03-divide-by-dk"}),  # the late one is the one that moved
        ("project share score scale mix", {"m03-divide-by-dk"}),
        ("mix project score scale share", {"slip-arith"}),
        ("project scale score share mix", set()),  # one step is out of place, and nobody named that
        ("score project share scale mix", set()),  # two are, which may be chance
        ("mix share scale score project", set()),
        ("project score scale share mix", set()),
    ],
)
def test_a_step_that_comes_too_early_is_called_by_its_cause_where_nothing_else_is_out_of_place(order, ideas):
    given_ = Answer(tuple(order.split()))
    shown = comment(QUESTION, VARIANT, given_)

    assert {cause.id for cause in mark(QUESTION, VARIANT, given_).causes} == ideas
    assert {note.cause.id for note in shown.notes if note.cause} == ideas
    assert all(note.shape is Shape.WRONG for note in shown.notes if note.cause)
    assert ("It goes with “" in shown.reason) == bool(ideas)


def test_the_given_order_stands_beside_the_right_one_unless_it_is_right():
    wrong, right = (comment(QUESTION, VARIANT, Answer(order)) for order in (RIGHT[::-1], RIGHT))

    assert wrong.figure.content.given == wrong.figure.content.right[::-1]
    assert right.figure is None


@given(seeds)
def test_the_steps_come_in_an_order_that_is_not_the_right_one(seed):
    order = variant_of(QUESTION, seed).option_order

    assert sorted(order) == sorted(RIGHT)
    assert order != RIGHT


def test_every_wrong_order_of_four_steps_is_dealt_about_as_often():
    text = TEXTS["order"]
    question = make_question("order", text=text[: text.index("  - {id: mix")])
    dealt = [variant_of(question, str(seed)).option_order for seed in range(4600)]

    counts = [dealt.count(order) for order in set(dealt)]
    assert len(counts) == 23
    # Chi squared with 22 degrees of freedom; it is above 48.3 once in a thousand fair dealers, and the seeds are fixed.
    assert sum((count - 200) ** 2 / 200 for count in counts) < 48.3


@given(seeds, st.none() | orders)
def test_what_a_form_shows_is_read_as_what_it_was_made_from(seed, order):
    posed = Posed(TASK, variant_of(QUESTION, seed))
    answer = Answer(order) if order else None

    assert KIND.read(posed, posted_by(KIND.control(posed, answer))) == answer


def test_an_untouched_order_is_no_answer_until_it_is_confirmed():
    control = KIND.control(POSED, None)

    assert KIND.read(POSED, posted_by(control)) is None
    assert KIND.read(POSED, posted_by(control) | {"own": ["1"]}) == Answer(VARIANT.option_order)


@given(st.none() | orders, st.integers(0, 4), st.sampled_from(["up", "down"]))
def test_a_button_moves_one_step_by_one_place_and_loses_none(order, place, direction):
    control = KIND.control(POSED, Answer(order) if order else None)
    before = order or VARIANT.option_order

    answer = KIND.read(POSED, posted_by(control, f"{direction}-{control.steps[place].value}"))

    other = place + (1 if direction == "down" else -1)
    if 0 <= other <= 4:
        expected = list(before)
        expected[place], expected[other] = expected[other], expected[place]
        assert answer == Answer(tuple(expected))
    else:  # at an end nothing moves, and what was untouched stays so
        assert answer == (Answer(before) if order else None)


@pytest.mark.parametrize(
    "posted",
    [
        {"step": ["1", "2", "3", "4"]},
        {"step": ["1", "2", "3", "4", "4"]},
        {"step": ["1", "2", "3", "4", "6"]},
        {"step": ["1", "2", "3", "4", "5", "5"]},
        {"own": ["1"]},
        {"move": ["up-1"]},
        {"step": ["1", "2", "3", "4", "5"], "move": ["up-9"]},
        {"step": ["1", "2", "3", "4", "5"], "move": ["away-1"]},
        {"step": ["1", "2", "3", "4", "5"], "move": ["up"]},
    ],
)
def test_what_is_no_order_of_the_steps_is_refused(posted):
    assert isinstance(KIND.read(POSED, posted), Unreadable)


def test_its_layout_in_a_snapshot_is_the_one_that_snapshots_have():
    body = KIND.freeze(TASK)

    assert set(body) == {"steps", "swaps"}
    assert set(body["steps"][0]) == {"id", "text", "explanation"}
    assert KIND.thaw(json.loads(json.dumps(body))) == TASK
    assert KIND.thaw({"steps": body["steps"]}).swaps == ()  # of a question that was asked before there were any


STEP = "  - {{id: {0}, text: Do {0}, why: A step that says why it comes where it comes in twelve words., see: root}}\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("steps:", "stages:", 2, "steps", "is missing"),
        ("steps:", f"steps:\n{STEP.format('one')}{STEP.format('two')}", 3, "steps", "are 7; an order has 4 to 6"),
        ("id: score", "id: scale", 6, "steps.2.id", "the id of another step too"),
        ("Turn each row into weights", "Mix the values with the weights", 8, "steps.4.text", "same as another step"),
        ("Turn each row into weights", "All of the above", 7, "steps.3.text", "cannot explain itself"),
        (r"$K^\top$", "$K^$", 5, "steps.1.text", "cannot be read"),
        ("why: \"Sharewhy", "way: \"Sharewhy", 7, "steps.3.why", "is missing"),
        ("why: \"Sharewhy", "right: true, why: \"Sharewhy", 7, "steps.3.right", "is not a key"),
        ("see: weights}\n  - {id: mix", "see: shares}\n  - {id: mix", 7, "steps.3.see", "no section of the card"),
        ("Sharewhy is the first word", "As the previous option says, sharewhy is", 7, "steps.3.why", "no fixed place"),
        ("early: share", "early: shared", 10, "swaps.0.early", "'shared' is no step of this question"),
        ("late: scale", "late: scales", 10, "swaps.0.late", "'scales' is no step of this question"),
        ("early: share, late: scale", "early: scale, late: share", 10, "swaps.0.early", "does not come after 'share'"),
        ("early: mix, late: share", "early: share, late: scale", 11, "swaps.1.early", "stands here twice"),
        ("slip: slip-arith}", "slip: slip-none}", 11, "swaps.1.slip", "not a slip"),
        (", slip: slip-arith}", "}", 11, "swaps.1.misconception", "is missing"),
    ],
)  # fmt: skip
def test_the_loader_refuses_what_is_unexplained_or_said_twice(old, new, line, key, reason):
    assert old in TEXTS["order"]

    _, faults = parse("order", TEXTS["order"].replace(old, new))

    assert any(re.match(rf"bank.yaml:{line}: {key}: .*{re.escape(reason)}", fault) for fault in faults), faults


def test_three_steps_are_too_few():
    _, faults = parse("order", TEXTS["order"][: TEXTS["order"].index("  - {id: share")])

    assert any("bank.yaml:3: steps: are 3; an order has 4 to 6" in fault for fault in faults), faults


@pytest.mark.parametrize(("words", "is_fault"), [(11, True), (12, False), (60, False), (61, True)])
def test_a_step_is_explained_in_12_to_60_words(words, is_fault):
    text = re.sub('Sharewhy[^"]*', "word " * (words - 1) + "end.", TEXTS["order"])

    _, faults = parse("order", text)

    assert any("12 to 60" in fault for fault in faults) == is_fault
