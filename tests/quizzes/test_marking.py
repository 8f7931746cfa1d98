import itertools
from decimal import Decimal
from fractions import Fraction

import pytest

from quizzes.marking import comment, earned, mark, shown
from quizzes.paper import variant_of
from quizzes.questions import Answer, Posed
from quizzes.registry import kind_of
from tests.quizzes.making import BELIEF, OTHER_BELIEF, SLIP, TEXTS, make_question


def answered(kind: str, *parts: str, seed: str = "7"):
    question = make_question(kind)
    return question, variant_of(question, seed), Answer(parts)


def test_a_single_is_worth_all_or_nothing_and_a_wrong_pick_names_its_belief():
    assert mark(*answered("single", "root")).fraction == 1
    wrong = mark(*answered("single", "width"))

    assert wrong.fraction == 0
    assert wrong.causes == (BELIEF,)


def test_every_set_of_ticks_earns_what_the_printed_rule_says():
    """Right ticks less wrong ticks over the true statements, at least 0; only all right and no wrong is full."""
    question = make_question("multi")
    variant = variant_of(question, "7")
    for size in range(1, 6):
        for ticked in itertools.combinations("abcde", size):
            right = len(set(ticked) & set("abc"))
            wrong = size - right
            fraction = mark(question, variant, Answer(ticked)).fraction
            assert fraction == max(Fraction(0), Fraction(right - wrong, 3))
            assert (fraction == 1) == (ticked == ("a", "b", "c"))


def test_a_multi_names_the_causes_of_what_was_misjudged_both_ways():
    marked = mark(*answered("multi", "a", "d"))

    assert set(marked.causes) == {BELIEF, OTHER_BELIEF}  # d was ticked, b was not


def test_a_right_number_is_right_however_it_was_typed():
    question, variant, _ = answered("numeric", "", "")
    key = variant.parameters["k"] * variant.parameters["n"] ** 0.5

    assert mark(question, variant, Answer((f"{key}", f"{key}"))).is_right


def test_a_wrong_number_is_recognised_by_what_leads_to_it_and_its_diagnosis_comes_first():
    question, variant, _ = answered("numeric", "", "")
    value = str(variant.parameters["k"] * variant.parameters["n"])
    answer = Answer((value, value))

    marked = mark(question, variant, answer)
    commentary = comment(question, variant, answer)

    assert (marked.fraction, marked.causes) == (0, (BELIEF,))
    assert commentary.notes[0].why.startswith("Widthwhy")
    assert commentary.notes[0].said == f"{value} steps"
    assert commentary.notes[1].why.startswith("Rightwhy")
    assert BELIEF.label in commentary.reason


def test_an_unrecognised_number_gets_the_explanation_for_all_others():
    commentary = comment(*answered("numeric", "12345.6", "12345.6"))

    assert commentary.notes[0].why.startswith("Otherwhy")
    assert [note.cause for note in commentary.notes[2:]] == [BELIEF, SLIP]


def test_explanations_hold_the_learners_own_numbers():
    question, variant, answer = answered("numeric", "12345.6", "12345.6")
    note = next(note for note in comment(question, variant, answer).notes if note.shape == "right")
    key = variant.parameters["k"] * variant.parameters["n"] ** 0.5

    assert note.why.endswith(f"It is {key:.0f}.")


def test_the_pick_comes_first_then_the_answer_then_the_others():
    notes = comment(*answered("single", "width")).notes

    assert [note.label for note in notes] == ["Your pick", "The answer", "Also offered"]
    assert [note.shape for note in notes] == ["wrong", "right", "open"]


def test_a_right_pick_is_one_entry():
    notes = comment(*answered("single", "root")).notes

    assert [note.label for note in notes] == ["Your pick, the answer", "Also offered", "Also offered"]


def test_a_statement_that_was_judged_rightly_accuses_of_nothing():
    notes = {note.said: note for note in comment(*answered("multi", "a", "d")).notes}

    assert next(iter(notes)) == "Four"  # the false tick first
    assert notes["Four"].cause == BELIEF
    assert notes["Five"].cause is None


@pytest.mark.parametrize("parts", [7, 3, 9, 11])
def test_parts_of_a_mark_add_up_to_the_whole(parts):
    assert earned((Fraction(1, parts), Decimal(1)) for _ in range(parts)) == Decimal(1)


@pytest.mark.parametrize(("fraction", "stored"), [(Fraction(2, 3), "0.6667"), (Fraction(1, 20000), "0.0001")])
def test_a_stored_mark_has_four_places_rounded_half_up(fraction, stored):
    assert earned([(fraction, Decimal(1))]) == Decimal(stored)


@pytest.mark.parametrize(
    ("marks", "text"),
    [("29.5000", "29.5"), ("2.6750", "2.68"), ("0.6667", "0.67"), ("10.0000", "10"), ("0.0000", "0"), ("100", "100")],
)
def test_a_mark_is_shown_with_at_most_two_places(marks, text):
    assert shown(Decimal(marks)) == text


@pytest.mark.parametrize("ticked", [ticked for size in range(6) for ticked in itertools.combinations("abcde", size)])
def test_a_right_tick_never_costs_and_a_wrong_tick_never_pays(ticked):
    question = make_question("multi")
    variant = variant_of(question, "7")
    before = mark(question, variant, Answer(ticked) if ticked else None).fraction
    for option in set("abcde") - set(ticked):
        after = mark(question, variant, Answer(tuple(sorted({*ticked, option})))).fraction
        assert after >= before if option in "abc" else after <= before


@pytest.mark.parametrize(("wrong", "has_signs"), [("k * n,", False), ("-k * n,", True)])
def test_a_phone_offers_a_minus_where_the_key_or_a_wrong_value_has_one(wrong, has_signs):
    question = make_question("numeric", text=TEXTS["numeric"].replace("k * n,", wrong))
    posed = Posed(question.task, variant_of(question, "7"))

    assert kind_of("numeric").control(posed, None).has_signs == has_signs
