"""What holds for every kind, whatever it is: a new kind is tested here by adding its text to making.TEXTS."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.marking import comment, mark
from quizzes.paper import variant_of
from quizzes.presenting import present
from quizzes.questions import Answer, Posed, Unreadable
from quizzes.registry import kind_of, kinds
from tests.quizzes.forms import control_html, controls_of, filled, sent
from tests.quizzes.making import GROUNDS, TEXTS, make_question, parse

KINDS = sorted(TEXTS)
FIELDS = ("cell-1-2", "choice", "number", "words", "step", "move", "own", "pair-1", "pair-4")  # of every kind's form
seeds = st.text(alphabet=string.hexdigits, max_size=16)


def test_every_kind_in_the_folder_is_tested_here():
    assert set(kinds()) == set(TEXTS)


@pytest.mark.parametrize("kind", KINDS)
def test_a_task_survives_its_json_form(kind):
    question = make_question(kind)
    body = json.loads(json.dumps(kind_of(kind).freeze(question.task)))

    assert kind_of(kind).thaw(body) == question.task
    assert json.dumps(kind_of(kind).marking_key(question.task))


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
def test_the_same_seed_poses_the_same_question(kind, seed):
    question = make_question(kind)

    assert variant_of(question, seed) == variant_of(question, seed)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds, values=st.lists(st.one_of(st.text(max_size=12), st.sampled_from(["1", "2", "9", "6", "0.5"]))))
def test_whatever_is_posted_is_read_marked_and_explained_or_refused(kind, seed, values):
    question = make_question(kind)
    variant = variant_of(question, seed)
    posed = Posed(question.task, variant)

    answer = kind_of(kind).read(posed, dict.fromkeys(FIELDS, values))

    if isinstance(answer, Unreadable):
        assert answer.reason.endswith(".")
        return
    marked = mark(question, variant, answer)
    commentary = comment(question, variant, answer)
    assert 0 <= marked.fraction <= 1
    assert (commentary.shape == "right") == marked.is_right
    assert commentary.word.endswith(".")
    assert answer is None or any(note.is_mine for note in commentary.notes)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds, data=st.data())
def test_a_form_that_shows_an_answer_sends_the_same_answer(kind, seed, data):
    """Going back to a question and on again must not change what was answered."""
    question = make_question(kind)
    posed = Posed(question.task, variant_of(question, seed))
    empty = control_html(question, posed.variant, None)
    answer = kind_of(kind).read(posed, data.draw(filled(controls_of(empty))))
    if isinstance(answer, Unreadable):
        return

    shown = controls_of(control_html(question, posed.variant, answer))

    assert kind_of(kind).read(posed, sent(shown)) == answer


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds, data=st.data())
def test_whatever_a_form_can_send_is_marked_and_every_word_of_the_judgement_is_there(kind, seed, data):
    question = make_question(kind)
    variant = variant_of(question, seed)
    posed = Posed(question.task, variant)
    answer = kind_of(kind).read(posed, data.draw(filled(controls_of(control_html(question, variant, None)))))
    if answer is None or isinstance(answer, Unreadable):
        return

    marked = mark(question, variant, answer)
    commentary = comment(question, variant, answer)

    assert 0 <= marked.fraction <= 1
    assert (commentary.shape == "right") == marked.is_right == (not marked.causes and marked.fraction == 1)
    mine = [note for note in commentary.notes if note.is_mine]
    assert mine, "nothing is said about what was answered"
    assert all(note.why and note.see in GROUNDS.sections for note in commentary.notes)
    assert {note.cause for note in commentary.notes if note.cause} >= set(marked.causes)


@pytest.mark.parametrize("kind", KINDS)
def test_an_open_question_earns_nothing_and_still_shows_every_explanation(kind):
    question = make_question(kind)
    variant = variant_of(question, "7")

    assert mark(question, variant, None).fraction == 0
    commentary = comment(question, variant, None)
    assert commentary.shape == "open"
    assert not any(note.is_mine for note in commentary.notes)


@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
def test_what_is_shown_before_an_answer_is_final_gives_nothing_away(kind, seed):
    question = make_question(kind)
    variant = variant_of(question, seed)
    shown = str(present(question, variant, None))

    assert "why is the first word" not in shown
    assert "right" not in shown.lower()
    for secret in ("m03-", "slip-", "Dividing by", "cosine"):
        assert secret not in shown


@pytest.mark.parametrize("kind", KINDS)
def test_a_place_that_is_not_offered_is_no_answer(kind):
    question = make_question(kind)
    posed = Posed(question.task, variant_of(question, "7"))

    read = kind_of(kind).read(posed, {field: ["seventeen " * 9] for field in FIELDS})

    assert isinstance(read, Unreadable)


def test_two_picks_in_a_single_are_refused():
    question = make_question("single")
    posed = Posed(question.task, variant_of(question, "7"))

    assert isinstance(kind_of("single").read(posed, {"choice": ["1", "2"]}), Unreadable)


def test_a_choice_is_kept_by_option_id_whatever_its_place():
    question = make_question("single")
    for seed in ("1", "2", "3", "4"):
        variant = variant_of(question, seed)
        place = str(1 + variant.option_order.index("width"))
        assert kind_of("single").read(Posed(question.task, variant), {"choice": [place]}) == Answer(("width",))


@pytest.mark.parametrize(
    ("kind", "old", "new", "reason"),
    [
        ("single", "right: true, ", "", "exactly one"),
        ("single", "misconception: m03-divide-by-dk", "right: true", "exactly one"),
        ("single", "misconception: m03-divide-by-dk, ", "", "names a misconception or a slip"),
        ("single", "m03-divide-by-dk", "m03-unheard-of", "not a misconception that misconceptions.yaml knows"),
        ("single", "slip: slip-arith", "misconception: slip-arith", "not a misconception that"),
        ("single", "slip: slip-arith", "slip: slip-arith, misconception: m03-cosine", "has one cause"),
        ("single", "right: true", "right: true, slip: slip-arith", "has no misconception and no slip"),
        ("single", "see: weights", "see: elsewhere", "no section of the card"),
        ("single", ", see: weights", "", "see: is missing"),
        ("single", "why:", "because:", "why: is missing"),
        ("single", "No divisor", "None of the above", "cannot explain itself"),
        ("single", "No divisor", "Both A and B", "cannot explain itself"),
        ("single", "No divisor", "The width", "the same as another option"),
        ("single", "id: none", "id: root", "the id of another option"),
        ("single", "Here it ends", "As option B says it ends", "options have no fixed place"),
        ("single", "Here it ends", "As the second option says it ends", "options have no fixed place"),
        ("single", "No divisor", "No divisor at all since the widths agree", "quarter of the mean"),
        ("single", "No divisor", r"'$\frac{1$'", "cannot be read"),
        ("single", "id: none,", "id: none, wrong: true,", "not a key that is known"),
        ("single", "text: The root", "text: Spread divisor", "the right option alone repeats spread of the stem"),
        ("multi", "{id: d, misconception", "{id: d, right: true, misconception", "2 or 3"),
        ("multi", "Choose every statement that is true.", "Which?", "must say"),
        ("numeric", "value: k * n,", "value: k * sqrt(n) + 0.015,", "within twice the tolerance"),
        ("numeric", "value: k * n,", "value: k * n / 2 + 0.71,", "is that of another wrong value for n=4, k=2"),
        ("numeric", "(n)\ntolerance: {abs: 0.01}", "(n) - 2 * k\ntolerance: {rel: 0.01}", "key is 0 in a variant"),
        ("numeric", "value: k * n,", "value: k / (n - 4),", "no value here"),
        ("numeric", "[4, 9, 16, 25]", "[9]", "variants; at least 4"),
        ("numeric", "[4, 9, 16, 25]", f"[{', '.join(map(str, range(4, 3000)))}]", "at most 5000"),
        ("numeric", "answer: k * sqrt(n)", "answer: '5'", "fewer than 3 values"),
        ("numeric", "answer: k * sqrt(n)", "answer: k * sqrt(m)", "'m' is not a parameter"),
        ("numeric", "{abs: 0.01}", "{abs: 0}", "must be more than 0"),
        ("numeric", "{abs: 0.01}", "roughly", "must be `exact`"),
        ("numeric", "root of [[n]]", "root of [[m]]", "'m' is not a parameter"),
        ("numeric", "where: n + k > 5", "where: n +", "is not an expression"),
        ("numeric", "[1, 2]", "[1, two]", "must be a finite number"),
        ("numeric", "otherwise:", "elsewise:", "otherwise: is missing"),
    ],
)
def test_a_fault_of_the_author_is_reported(kind, old, new, reason):
    assert old in TEXTS[kind]
    _, faults = parse(kind, TEXTS[kind].replace(old, new))

    assert any(reason in fault for fault in faults), faults


def test_numbers_as_options_stand_in_ascending_order_with_equal_precision():
    text = TEXTS["single"].replace("The root", "'2'").replace("The width", "'4.0'").replace("No divisor", "'3'")
    _, faults = parse("single", text)

    assert any("ascending order" in fault for fault in faults)
    assert any("same number of decimals" in fault for fault in faults)


@pytest.mark.parametrize(("words", "is_fault"), [(24, True), (25, False), (80, False), (81, True)])
def test_an_explanation_has_25_to_80_words(words, is_fault):
    why = "One two. " + "word " * (words - 3) + "end."
    text = TEXTS["single"]
    start = text.index('why: "') + 6
    _, faults = parse("single", text[:start] + why + text[text.index('"', start) :])

    assert any("words" in fault for fault in faults) == is_fault


@pytest.mark.parametrize(("sentences", "is_fault"), [(1, True), (2, False), (4, False), (5, True)])
def test_an_explanation_has_2_to_4_sentences(sentences, is_fault):
    long = "This has, e.g. here, a formula $a. b$ and 0.5 of many other words, " * 2 + "and ends here"
    parts = [long] + ["And one more"] * (sentences - 1)
    text = TEXTS["single"]
    start = text.index('why: "') + 6
    _, faults = parse("single", text[:start] + ". ".join(parts) + "." + text[text.index('"', start) :])

    assert any("sentences" in fault for fault in faults) == is_fault


@pytest.mark.parametrize(("kind", "count"), [("numeric", 7), ("single", 1), ("multi", 1)])
def test_a_kind_tells_every_variant_that_it_may_draw(kind, count):
    question = make_question(kind)
    variants = list(kind_of(kind).variants(question.task))

    drawn = [variant_of(question, str(seed)).parameters for seed in range(200)]
    assert len(variants) == count
    assert all(each in variants for each in drawn)
    assert all(each in drawn for each in variants)


@pytest.mark.parametrize(
    ("value", "is_near"), [(0.01, True), (-0.01, True), (0.0101, False), (-0.0101, False), (0.0, True)]
)
def test_the_bound_of_a_tolerance_counts_and_nothing_beyond(value, is_near):
    task = make_question("numeric").task

    assert task.accepts(6 + value, {"n": 9, "k": 2}) == is_near
    assert not task.accepts(float("nan"), {"n": 9, "k": 2})
    assert not task.accepts(float("inf"), {"n": 9, "k": 2})


def test_a_relative_tolerance_grows_with_the_key_and_an_exact_one_allows_nothing():
    relative = make_question("numeric", text=TEXTS["numeric"].replace("{abs: 0.01}", "{rel: 0.01}")).task
    exact = make_question("numeric", text=TEXTS["numeric"].replace("{abs: 0.01}", "exact")).task

    assert relative.accepts(6.06, {"n": 9, "k": 2})
    assert not relative.accepts(6.0601, {"n": 9, "k": 2})
    assert exact.accepts(6.0, {"n": 9, "k": 2})
    assert not exact.accepts(6.00001, {"n": 9, "k": 2})
