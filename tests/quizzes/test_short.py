"""A typed term: every way to write an accepted form is right, and every known wrong one gets its own reason."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.commentary import explained
from quizzes.marking import comment, mark
from quizzes.questions import Answer, Posed, Unreadable, Variant
from quizzes.registry import kind_of
from tests.quizzes.making import BELIEF, OTHER_BELIEF, SLIP, TEXTS, make_question, parse

QUESTION = make_question("short")
UNDRAWN = Variant(parameters={}, option_order=())
POSED = Posed(QUESTION.task, UNDRAWN)
KIND = kind_of("short")

accepted = st.sampled_from(QUESTION.task.accepted)
wrong = st.sampled_from([(form, each) for each in QUESTION.task.wrong for form in each.forms])


@st.composite
def written(draw, forms):
    """A form as one of many people may write it."""
    form = draw(forms)
    space = draw(st.sampled_from([" ", "  ", "", "-", "\u2011", " – ", "\u00a0"]))
    text = draw(st.sampled_from([str.upper, str.lower, str.title]))(form.replace(" ", space))
    return draw(st.sampled_from(["{}", " {} ", "{}.", "“{}”", "'{}'", "\u200b{}"])).format(text)


def given_as(typed: str):
    return KIND.read(POSED, {"words": [typed]})


@given(written(accepted))
def test_an_accepted_form_gets_full_marks_however_it_is_written(typed):
    answer = given_as(typed)

    assert mark(QUESTION, UNDRAWN, answer).fraction == 1
    assert comment(QUESTION, UNDRAWN, answer).notes[0].why == QUESTION.task.right.why


@given(wrong)
def test_every_known_wrong_form_is_explained_by_what_leads_to_it(known):
    form, expected = known
    answer = given_as(form.upper())

    marked, commentary = mark(QUESTION, UNDRAWN, answer), comment(QUESTION, UNDRAWN, answer)
    assert (marked.fraction, marked.causes) == (0, (expected.cause,))
    assert (commentary.notes[0].why, commentary.notes[0].cause) == (expected.explanation.why, expected.cause)
    assert expected.cause.label in commentary.reason


@given(st.text(max_size=80))
def test_any_other_text_is_wrong_or_open_and_explained_on_the_page(typed):
    answer = given_as(typed)

    marked = mark(QUESTION, UNDRAWN, answer)
    page = explained(QUESTION, UNDRAWN, answer)  # nothing that was typed may keep a review from being shown
    assert marked.is_right == (answer is not None and QUESTION.task.accepts(typed))
    assert all(entry.why for entry in page.entries)


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "\x00", "\n"])
def test_what_has_no_sign_in_it_is_no_answer(typed):
    assert given_as(typed) is None


def test_a_whole_sentence_is_refused_and_stays_to_be_shortened():
    read = given_as("a " * 60)

    assert isinstance(read, Unreadable)
    assert read.given
    assert "119 characters" in read.reason


@pytest.mark.parametrize(
    "typed", [r"$\frac{1", "<b>", "a & b", r"\alpha{", "[x](http://x.example)", "שלום", "C:\\x", "`", "it’s"]
)
def test_what_was_typed_is_kept_and_shown_as_it_is(typed):
    answer = given_as(f"  {typed} ")

    assert answer == Answer((typed,))
    assert KIND.control(POSED, answer).typed == typed
    assert explained(QUESTION, UNDRAWN, answer).entries[0].figure.content == typed


def test_its_layout_in_a_snapshot_is_the_one_that_snapshots_have():
    body = KIND.freeze(QUESTION.task)

    assert set(body) == {"accepted", "right", "wrong", "otherwise"}
    assert set(body["wrong"][0]) == {"forms", "cause", "explanation"}
    assert KIND.thaw(json.loads(json.dumps(body))) == QUESTION.task


def test_another_way_to_write_an_accepted_form_decides_no_mark():
    other = make_question("short", text=TEXTS["short"].replace("[permutation eq", "[Permutation-Eq"))

    assert KIND.marking_key(other.task) == KIND.marking_key(QUESTION.task)


def test_beliefs_and_slips_are_told_apart():
    assert [each.cause for each in QUESTION.task.wrong] == [OTHER_BELIEF, SLIP]
    assert BELIEF not in [each.cause for each in QUESTION.task.wrong]


@pytest.mark.parametrize(
    ("old", "new", "line", "key", "reason"),
    [
        ("accepted:", "allowed:", 2, "accepted", "is missing"),
        ("[permutation equivariance, equivariant]", "[]", 3, "accepted", "at least one form"),
        ("[permutation equivariance, equivariant]", "equivariance", 3, "accepted", "must be a list"),
        ("equivariant]", "Permutation-Equivariance.]", 3, "accepted", "says the same as 'permutation equivariance'"),
        ("equivariant]", "'...']", 3, "accepted", "is no short answer"),
        ("equivariant]", f"{'long ' * 20}]", 3, "accepted", "is no short answer"),
        ("why: \"Rightwhy", "because: \"Rightwhy", 2, "why", "is missing"),
        ("see: root\nwrong", "see: nowhere\nwrong", 5, "see", "no section of the card"),
        ("invariant]", "Equivariant]", 7, "wrong.0.forms", "says the same as 'equivariant'"),
        ("forms: [symmetry]", "forms: [Invariant.]", 11, "wrong.1.forms", "says the same as 'invariant'"),
        ("misconception: m03-cosine", "misconception: m03-new", 8, "wrong.0.misconception", "misconceptions.yaml"),
        ("    misconception: m03-cosine\n", "", 7, "wrong.0.misconception", "names a misconception or a slip"),
        ("    why: \"Invariantwhy", "    way: \"Invariantwhy", 7, "wrong.0.why", "is missing"),
        ("otherwise:", "elsewise:", 2, "otherwise", "is missing"),
        ("Otherwhy", "Otherwhy " + "word " * 60, 12, "otherwise.why", "25 to 80"),
        ("weights}", "weights, right: true}", 12, "otherwise.right", "is not a key"),
    ],
)  # fmt: skip
def test_the_loader_refuses_what_is_unexplained_or_said_twice(old, new, line, key, reason):
    assert old in TEXTS["short"]

    _, faults = parse("short", TEXTS["short"].replace(old, new))

    assert any(re.match(rf"bank.yaml:{line}: {key}: .*{re.escape(reason)}", fault) for fault in faults), faults


def test_a_question_without_a_known_wrong_form_is_refused():
    text = re.sub(r"wrong:\n.*?otherwise", "wrong: []\notherwise", TEXTS["short"], flags=re.DOTALL)

    _, faults = parse("short", text)

    assert any("wrong: names no wrong form" in fault for fault in faults)
