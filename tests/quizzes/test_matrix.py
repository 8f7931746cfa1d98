"""What holds of a matrix that is filled in cell by cell."""

import re

import pytest
from django.template.loader import render_to_string
from hypothesis import given
from hypothesis import strategies as st

from quizzes.marking import comment, mark
from quizzes.matrix_tasks import at
from quizzes.presenting import present, stem
from quizzes.questions import Answer, Posed, Unreadable, Variant
from quizzes.registry import kind_of
from tests.quizzes.answering import typed_cells
from tests.quizzes.making import MATRIX, REASON, make_question, parse

KIND = kind_of("matrix")
QUESTION = make_question("matrix")
TASK = QUESTION.task
VARIANTS = [Variant(parameters=parameters, option_order=()) for parameters in TASK.grid()]
MASKED = MATRIX.replace("answer: softmax_rows(S + M)", "answer: S + M").replace("{abs: 0.006}", "exact")
MASKED = (
    re.sub(r"wrong:.*(?=otherwise:)", "", MASKED, flags=re.DOTALL)
    + f"""
wrong: [{{misconception: m03-cosine, answer: "keep_where(S, M)", see: root, why: "{REASON.format("Zero")}"}}]
"""
)

variants = st.sampled_from(VARIANTS)
cells = st.sampled_from(TASK.blanks)
typed_numbers = st.sampled_from(["", "0", "1", "0.5", "0,27", "1/3", "50 %", "-2", "-inf", "−∞", "1e-3"])


@given(variant=variants)
def test_the_right_matrix_gets_full_marks(variant):
    answer = Answer(typed_cells(TASK, TASK.drawn(variant.parameters).key))

    assert mark(QUESTION, variant, answer).fraction == 1
    commentary = comment(QUESTION, variant, answer)
    assert commentary.shape == "right"
    assert [note.label for note in commentary.notes if note.is_mine] == ["Your matrix, the answer"]


@given(variant=variants, slip=st.sampled_from(range(len(TASK.wrong))))
def test_the_matrix_of_a_slip_is_explained_by_that_slip_alone(variant, slip):
    drawn = TASK.drawn(variant.parameters)
    answer = Answer(typed_cells(TASK, drawn.slips[slip]))

    marked = mark(QUESTION, variant, answer)
    mine = [note for note in comment(QUESTION, variant, answer).notes if note.is_mine]

    assert marked.fraction < 1
    assert marked.causes == (TASK.wrong[slip].cause,)
    assert [note.cause for note in mine] == [TASK.wrong[slip].cause]


@given(variant=variants, slip=st.sampled_from(range(len(TASK.wrong))), place=st.sampled_from(range(len(TASK.blanks))))
def test_one_cell_of_a_slip_is_explained_by_a_slip_that_gives_it(variant, slip, place):
    drawn, cell = TASK.drawn(variant.parameters), TASK.blanks[place]
    answer = list(typed_cells(TASK, drawn.key))
    answer[place] = typed_cells(TASK, drawn.slips[slip])[place]
    if TASK.tolerance.is_near(float(answer[place]), at(drawn.key, cell)):
        return

    marked = mark(QUESTION, variant, Answer(tuple(answer)))

    count = len(TASK.blanks)
    assert marked.fraction * count == count - 1
    givers = [
        wrong.cause
        for wrong, matrix in zip(TASK.wrong, drawn.slips, strict=True)
        if TASK.tolerance.is_near(float(answer[place]), at(matrix, cell))
    ]
    assert len(marked.causes) == 1
    assert marked.causes[0] in givers


@given(variant=variants, parts=st.tuples(*[typed_numbers] * len(TASK.blanks)))
def test_every_wrong_cell_of_any_matrix_is_explained_exactly_once(variant, parts):
    if not any(parts):
        return
    key = TASK.drawn(variant.parameters).key
    commentary = comment(QUESTION, variant, Answer(parts))

    own = commentary.figure.content[0]
    wrong = [
        (row.head, head)
        for row in own.rows
        for head, entry in zip(own.heads, row.entries, strict=True)
        if entry.word == "wrong"
    ]
    said = "; ".join(note.said for note in commentary.notes if note.shape == "wrong").lower()
    named = [(row, key) for row, keys in re.findall(r"(query \d): ([^;]*)", said) for key in keys.split(", ")]
    assert sorted(named) == sorted(wrong)
    assert all(note.why for note in commentary.notes)
    fraction = mark(QUESTION, variant, Answer(parts)).fraction
    empty = parts.count("")
    assert fraction * len(parts) == len(parts) - empty - len(wrong)
    assert len(key) == len(own.rows)


@given(variant=variants, parts=st.tuples(*[typed_numbers] * len(TASK.blanks)), place=st.integers(0, 5))
def test_mending_a_cell_never_lowers_the_mark(variant, parts, place):
    mended = list(parts)
    mended[place] = typed_cells(TASK, TASK.drawn(variant.parameters).key)[place]

    before = mark(QUESTION, variant, Answer(parts) if any(parts) else None).fraction

    assert mark(QUESTION, variant, Answer(tuple(mended))).fraction >= before


@given(variant=variants, parts=st.tuples(*[typed_numbers] * len(TASK.blanks)))
def test_what_the_form_shows_is_read_as_the_same_answer(variant, parts):
    posed = Posed(TASK, variant)
    control = KIND.control(posed, Answer(parts))
    posted = {entry.name: [entry.text] for row in control.rows for entry in row.entries if entry.name}

    assert KIND.read(posed, posted) == (Answer(parts) if any(parts) else None)


def test_cells_that_are_not_blank_are_shown_and_the_others_show_nothing():
    control = KIND.control(Posed(TASK, VARIANTS[0]), None)

    assert [[entry.text for entry in row.entries] for row in control.rows] == [
        ["1.00", "", "0.00"],
        ["", "", ""],
        ["", "0.11", ""],
    ]
    assert control.rows[0].entries[1].label == "query 1, key 2"


def test_a_cell_that_cannot_be_read_is_named_and_nothing_is_lost():
    posed = Posed(TASK, VARIANTS[0])
    posted = {"cell-1-2": ["0,5"], "cell-2-1": ["1,000"], "cell-3-3": [" half "]}

    read = KIND.read(posed, posted)

    assert isinstance(read, Unreadable)
    assert read.fields == ("cell-2-1", "cell-3-3")
    assert read.given == ("0,5", "1,000", "", "", "", "half")
    assert "Query 2, key 1: 1,000 can be read as 1 or as 1000." in read.reason
    assert "Query 3, key 3: “half” is not read as a number." in read.reason


@pytest.mark.parametrize("text", ["-inf", "−inf", "-INF", "−∞", "-∞", "- infinity", "–∞"])
def test_minus_infinity_is_read_however_it_is_typed(text):
    question = make_question("matrix", text=MASKED)
    variant = Variant(parameters=question.task.grid()[0], option_order=())
    answer = list(typed_cells(question.task, question.task.drawn(variant.parameters).key))
    assert mark(question, variant, Answer(tuple(answer))).fraction == 1

    answer[question.task.blanks.index((1, 2))] = text

    assert mark(question, variant, Answer(tuple(answer))).fraction == 1
    html = render_to_string("quizzes/_matrices.html", {"figure": comment(question, variant, None).figure.content})
    assert '<span aria-hidden="true">−∞</span><span class="sr">minus infinity</span>' in html


def test_a_phone_offers_a_minus_where_the_key_or_a_slip_has_one():
    masked = make_question("matrix", text=MASKED)
    variant = Variant(parameters=masked.task.grid()[0], option_order=())

    assert KIND.control(Posed(masked.task, variant), None).has_signs
    assert not KIND.control(Posed(TASK, VARIANTS[0]), None).has_signs


@pytest.mark.parametrize("text", ["inf", "∞", "+inf", "nan", "-infinite"])
def test_other_things_than_numbers_are_refused(text):
    assert isinstance(KIND.read(Posed(TASK, VARIANTS[0]), {"cell-1-2": [text]}), Unreadable)


def test_minus_infinity_in_a_cell_that_has_a_number_is_wrong():
    answer = list(typed_cells(TASK, TASK.drawn(VARIANTS[0].parameters).key))
    answer[0] = "-inf"

    assert mark(QUESTION, VARIANTS[0], Answer(tuple(answer))).fraction * 6 == 5


def test_what_was_readable_once_and_is_no_more_counts_as_wrong():
    answer = list(typed_cells(TASK, TASK.drawn(VARIANTS[0].parameters).key))
    answer[0] = "a half"

    assert mark(QUESTION, VARIANTS[0], Answer(tuple(answer))).fraction * 6 == 5
    assert comment(QUESTION, VARIANTS[0], Answer(tuple(answer))).notes[0].said == "Query 1: key 2"


def test_the_review_sets_the_matrix_beside_the_right_one_with_wrong_cells_in_shape_and_word():
    slip = TASK.drawn(VARIANTS[0].parameters).slips[0]
    answer = ("", *typed_cells(TASK, slip)[1:])
    commentary = comment(QUESTION, VARIANTS[0], Answer(answer))
    html = render_to_string("quizzes/_matrices.html", {"figure": commentary.figure.content})

    assert [table.caption for table in commentary.figure.content] == ["Filled in", "The answer"]
    assert html.count('<span class="word">wrong</span>') == sum(note.said.count("key") for note in commentary.notes[:1])
    assert html.count('<span class="word">empty</span>') == 1
    assert html.count("<svg") == 6
    assert commentary.shape == "begun"
    assert "go with “Dividing by the width”." in commentary.reason


def test_texts_name_parameters_and_cells():
    shown = stem(QUESTION, VARIANTS[0])
    why = next(note.why for note in comment(QUESTION, VARIANTS[0], None).notes if note.shape == "right")

    assert shown.heading == "Under a causal mask, which weights do scores of 1, 0 and 1 give?"
    assert why.endswith("It is 0.269.")
    assert [row.head for row in shown.figures[0].content[0].rows] == ["query 1", "query 2", "query 3"]


def test_the_form_holds_no_number_of_the_key_but_those_that_are_given():
    for variant in VARIANTS:
        key = TASK.drawn(variant.parameters).key
        html = render_to_string("quizzes/kinds/matrix.html", {"control": present(QUESTION, variant, None).control})
        texts = re.findall(r"\d\.\d\d", html)

        assert len(texts) == 3, "the cells that are not blank"
        assert f'value="{at(key, (2, 1)):.2f}"' not in html


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("M: causal_mask(3)", "M: causal_mask(k)", "'k' is not a parameter"),
        ("M: causal_mask(3)", "M: causal_mask(4)", "the shapes differ"),
        ("M: causal_mask(3)", "T: causal_mask(3)", "not a name that an expression can use"),
        ("M: causal_mask(3)", "answer: causal_mask(3)", "not a name that an expression can use"),
        ("M: causal_mask(3)", "M: __import__('os')", "not allowed in an expression"),
        ("S: [[a, b, 1],", "S: [[a, b],", "rows of one length"),
        ("S: [[a, b, 1],", "S: [[a, b, ~],", "'None'"),
        ("answer: softmax_rows(S + M)", "answer: softmax_rows(S + Q)", "'Q' is not a parameter"),
        ("answer: softmax_rows(S + M)", "answer: softmax_rows(M)", "fewer than 3 values"),
        ("answer: softmax_rows(S + M)", "answer: S @ M", "no number in row 1"),
        ("answer: softmax_rows(S + M)", "answer: a + b", "a number where a matrix is needed"),
        ("answer: softmax_rows(S + M)", "answer: identity(7) * a", "at most 6 × 6 are filled in"),
        ("answer: softmax_rows(S + M)", "answer: identity(a + 1)", "different shapes"),
        ("decimals: 2", "decimals: 1", "is less than rounding"),
        ("{abs: 0.006}", "{rel: 0.1}", "abs: is missing"),
        ("{abs: 0.006}", "roughly", "must be `exact`, {abs: number}"),
        ("[3, 3]]\ndecimals", "[3, 4]]\ndecimals", "different cells [row, column] of a 3 × 3"),
        ("[3, 3]]\ndecimals", "[3, 1]]\ndecimals", "different cells [row, column] of a 3 × 3"),
        ("blank: [[1, 2], [2, 1], [2, 2], [2, 3], [3, 1], [3, 3]]", "blank: [[1, 2]]", "at least 2"),
        ("{name: S, rows", "{name: Q, rows", "is no matrix of this question"),
        ("{name: S, rows", "{name: S, title: x, rows", "is no matrix of this question"),
        ("rows: {name: query}", "rows: query", "rows: must be a mapping"),
        ("columns: {name: key}", "columns: {word: key}", "name: is missing"),
        ("b: [0, 3]}", "b: [0]}", "variants; at least 4"),
        ("a: [1, 2], b: [0, 3]", f"a: {list(range(1, 250))}, b: [0, 3]", "at most 400"),
        ("[[a]], [[b]]", "[[a]], [[M_1_2]]", "'M_1_2' is not a parameter"),
        ("[[answer_2_1|3]]", "[[answer_4_1|3]]", "'answer_4_1' is not a parameter"),
        ("answer: keep_where(softmax_rows(S), M)", "answer: softmax_rows(S + M)", "near the right answer in every"),
        ("answer: keep_where(softmax_rows(S), M)", "answer: softmax_columns(S + M)", "that of another slip in every"),
        ("answer: keep_where(softmax_rows(S), M)", "answer: S @ [[1], [1], [1]]", "another shape than the answer"),
        ("answer: keep_where(softmax_rows(S), M)", "answer: softmax_rows(S + causal_mask(3, 0))", "no number in row 1"),
        ("misconception: m03-divide-by-dk", "misconception: m03-unheard-of", "not a misconception that"),
        ("  - misconception: m03-divide-by-dk\n", "  - more: 1\n", "names a misconception or a slip"),
        ("see: weights", "see: elsewhere", "no section of the card"),
        ("otherwise:", "elsewise:", "otherwise: is missing"),
        ("where: a != b", "where: a +", "is not an expression"),
    ],
)
def test_a_fault_of_the_author_is_reported_at_its_line(old, new, reason):
    assert old in MATRIX
    _, faults = parse("matrix", MATRIX.replace(old, new))

    assert any(reason in fault for fault in faults), faults
    assert all(re.match(r"bank\.yaml:\d+: ", fault) for fault in faults)


def test_a_question_without_a_slip_is_refused():
    _, faults = parse("matrix", re.sub(r"wrong:.*(?=otherwise:)", "wrong: []\n", MATRIX, flags=re.DOTALL))

    assert any("at least one must be diagnosed" in fault for fault in faults)


def test_all_cells_are_blank_unless_some_are_named():
    task, faults = parse("matrix", re.sub(r"blank: .*\n", "", MATRIX))

    assert not faults
    assert len(task.blanks) == 9
