"""Pairs: each is judged by itself, and a wrong one shows why the premise's partner and what the response belongs to."""

import json
import re
import string
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.commentary import explained
from quizzes.marking import comment, mark
from quizzes.paper import variant_of
from quizzes.questions import Answer, Posed, Shape, Unreadable
from quizzes.registry import kind_of
from tests.quizzes.making import OTHER_BELIEF, SLIP, TEXTS, make_question, parse

QUESTION = make_question("match")
TASK = QUESTION.task
KIND = kind_of("match")
RIGHT = tuple(premise.response for premise in TASK.premises)
RESPONSES = tuple(response.id for response in TASK.responses)
VARIANT = variant_of(QUESTION, "7")

answers = st.tuples(*[st.sampled_from(("", *RESPONSES))] * 4).filter(any).map(Answer)
seeds = st.text(alphabet=string.hexdigits, max_size=16)


def fraction(*parts: str) -> Fraction:
    return mark(QUESTION, VARIANT, Answer(parts)).fraction


def test_all_right_pairs_get_full_marks_and_nothing_else_does():
    for parts in product(("", *RESPONSES), repeat=4):
        if any(parts):
            assert (fraction(*parts) == 1) == (parts == RIGHT)


@given(answers)
def test_the_mark_is_the_share_of_right_pairs(answer):
    right = sum(part == wanted for part, wanted in zip(answer.parts, RIGHT, strict=True))

    assert mark(QUESTION, VARIANT, answer).fraction == Fraction(right, 4)


@given(answers, st.integers(0, 3))
def test_mending_one_pair_never_lowers_the_mark(answer, place):
    mended = (*answer.parts[:place], RIGHT[place], *answer.parts[place + 1 :])

    assert fraction(*mended) >= fraction(*answer.parts)
    assert (fraction(*mended) > fraction(*answer.parts)) == (answer.parts[place] != RIGHT[place])


@given(answers)
def test_every_wrong_pair_shows_both_reasons_and_every_other_is_explained(answer):
    notes = comment(QUESTION, VARIANT, answer).notes

    for note, premise, part in zip(notes, TASK.premises, answer.parts, strict=False):
        partner = TASK.response(part or premise.response)
        assert premise.explanation.why in note.why
        assert partner.explanation.why in note.also.why
        assert partner.text in note.said
        expected = Shape.OPEN if not part else Shape.RIGHT if part == premise.response else Shape.WRONG
        assert (note.shape, note.is_mine) == (expected, bool(part))
        assert note.cause == (partner.cause if expected is Shape.WRONG else None)


@given(answers)
def test_every_premise_and_every_response_is_explained_on_the_page_whatever_was_given(answer):
    text = " ".join(entry.why + entry.also for entry in explained(QUESTION, VARIANT, answer).entries)

    for part in (*TASK.premises, *TASK.responses):
        assert part.explanation.why.split()[0] in text


def test_a_wrong_pair_says_where_each_of_the_two_belongs():
    swapped, surplus = comment(QUESTION, VARIANT, Answer(("anew", "stored", "", ""))).notes[:2]

    assert swapped.why.startswith("To “$W_Q$” belongs “Learned, and the same for every text”.")
    assert swapped.also.why.startswith("The response “Computed anew for each text” belongs to “$A$”.")
    assert surplus.also.why.startswith(
        "The response “Stored in the model for each pair of words that was met in training” belongs to none of these."
    )


def test_the_beliefs_behind_wrong_pairs_are_told_once_and_only_for_wrong_ones():
    marked = mark(QUESTION, VARIANT, Answer(("stored", "anew", "stored", "anew")))

    assert marked.causes == (OTHER_BELIEF, SLIP)
    assert mark(QUESTION, VARIANT, Answer(RIGHT)).causes == ()


@given(seeds, answers | st.none())
def test_what_a_form_shows_is_read_as_what_it_was_made_from(seed, answer):
    posed = Posed(TASK, variant_of(QUESTION, seed))
    control = KIND.control(posed, answer)

    assert KIND.read(posed, {premise.field: [premise.chosen] for premise in control.premises}) == answer


@given(seeds)
def test_responses_come_shuffled_in_full_and_in_plain_words(seed):
    control = KIND.control(Posed(TASK, variant_of(QUESTION, seed)), None)

    words = {response.words for response in control.responses}
    assert {"Leads back to the width d", "Computed anew for each text", "Forbids pairs of places"} < words
    assert [response.letter for response in control.responses] == list("ABCDE")
    assert any("<math>" in response.html for response in control.responses)
    assert [premise.words for premise in control.premises] == ["W Q", "A", "The mask", "W O"]


@pytest.mark.parametrize("posted", [{"pair-1": ["6"]}, {"pair-4": ["anew"]}, {"pair-2": ["0"], "pair-1": ["1"]}])
def test_what_is_not_offered_is_refused(posted):
    assert isinstance(KIND.read(Posed(TASK, VARIANT), posted), Unreadable)


def test_its_layout_in_a_snapshot_is_the_one_that_snapshots_have():
    body = KIND.freeze(TASK)

    assert set(body) == {"premises", "responses"}
    assert set(body["premises"][0]) == {"id", "text", "response", "explanation"}
    assert set(body["responses"][0]) == {"id", "text", "explanation", "cause"}
    assert KIND.thaw(json.loads(json.dumps(body))) == TASK


WHY = "A response that belongs to none of these, and says so at some length."
EXTRA = f"  - {{{{id: more-{{0}}, text: More {{0}}, why: '{WHY}', see: root}}}}\n"


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("premises:", "prompts:", 2, "premises", "is missing"),
        ("responses:", "answers:", 2, "responses", "is missing"),
        ("response: anew", "response: new", 5, "premises.1.response", "'new' is no response"),
        ("response: anew", "response: fixed", 5, "premises.1.response", "belongs to another premise already"),
        (", response: anew", "", 5, "premises.1.response", "is missing"),
        ("why: \"Maskwhy", "way: \"Maskwhy", 6, "premises.2.why", "is missing"),
        ("why: \"Anewwhy", "way: \"Anewwhy", 10, "responses.1.why", "is missing"),
        ("Forbids pairs of places", "Computed anew for each text", 11, "responses.2.text", "as another response"),
        ("id: forbids", "id: anew", 11, "responses.2.id", "the id of another response"),
        ("The mask", "$A$", 6, "premises.2.text", "as another premise"),
        ("Forbids pairs of places", "None of these", 11, "responses.2.text", "cannot explain itself"),
        ("the width $d$", "the width $\\frac$", 12, "responses.3.text", "cannot be read"),
        ("m03-cosine", "m03-new", 15, "responses.4.misconception", "misconceptions.yaml"),
        ("slip: slip-arith", "slip: m03-cosine", 10, "responses.1.slip", "misconceptions.yaml"),
        ("responses:\n", "responses:\n" + "".join(map(EXTRA.format, range(6))), 8, "responses", "are 11; there is one"),
        ("see: weights\n", "see: weights\n    right: true\n", 18, "responses.4.right", "is not a key"),
        ("see: weights\n", "see: shares\n", 17, "responses.4.see", "no section of the card"),
    ],
)  # fmt: skip
def test_the_loader_refuses_what_is_unexplained_or_unmatched(old, new, line, key, reason):
    assert old in TEXTS["match"]

    _, faults = parse("match", TEXTS["match"].replace(old, new))

    assert any(re.match(rf"bank.yaml:{line}: {key}: .*{re.escape(reason)}", fault) for fault in faults), faults


def test_every_response_a_partner_leaves_the_last_pair_to_be_had_for_nothing():
    _, faults = parse("match", TEXTS["match"][: TEXTS["match"].index("  - id: stored")])

    assert any("bank.yaml:8: responses: are 4; there is one" in fault for fault in faults), faults


def test_three_premises_are_too_few():
    _, faults = parse("match", re.sub(r"  - \{id: output.*\n", "", TEXTS["match"]))

    assert any("bank.yaml:3: premises: are 3; a match has 4 to 6" in fault for fault in faults), faults


@pytest.mark.parametrize("word", ["Maskwhy", "Anewwhy"])
@pytest.mark.parametrize(("words", "is_fault"), [(11, True), (12, False), (60, False), (61, True)])
def test_each_half_of_a_pair_is_explained_in_12_to_60_words(word, words, is_fault):
    text = re.sub(f'{word}[^"]*', "word " * (words - 1) + "end.", TEXTS["match"])

    _, faults = parse("match", text)

    assert any("12 to 60" in fault for fault in faults) == is_fault
