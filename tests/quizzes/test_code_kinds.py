"""What holds of questions about code: which line is wrong, and what a program prints."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.marking import comment, mark
from quizzes.paper import variant_of
from quizzes.presenting import present, stem
from quizzes.questions import Answer, Posed, Unreadable
from quizzes.registry import kind_of
from tests.quizzes.making import CODE_BUG, CODE_OUT, REASON, make_question, parse

CODE_KINDS = ("code-bug", "code-out")
WHY = REASON.format("Here")


@pytest.mark.parametrize("kind", CODE_KINDS)
@given(seed=st.text(max_size=8), data=st.data())
def test_only_the_right_pick_earns_anything_and_every_other_shows_what_is_behind_it(kind, seed, data):
    question = make_question(kind)
    variant = variant_of(question, seed)
    option = data.draw(st.sampled_from(question.task.options))

    marked = mark(question, variant, Answer((option.id,)))
    commentary = comment(question, variant, Answer((option.id,)))

    assert marked.fraction == int(option.is_right)
    assert marked.causes == ((option.cause,) if option.cause else ())
    assert len(commentary.notes) == len(question.task.options)
    assert option.explanation.why in commentary.notes[0].why
    assert commentary.notes[0].is_mine
    assert not any(note.is_mine for note in commentary.notes[1:])


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_lines_stand_in_the_order_of_the_program_with_their_indentation(seed):
    question = make_question("code-bug")
    shown = present(question, variant_of(question, seed), None)

    assert [option.value for option in shown.control.options] == ["1", "2", "3", "4"]
    assert shown.control.options[3].html.startswith("    ")


def test_the_faulty_line_says_what_it_should_read_and_the_whole_program_stands_before_it():
    question = make_question("code-bug")
    commentary = comment(question, variant_of(question, "1"), Answer(("line-3",)))

    assert commentary.notes[0].label == "Line 3, your pick"
    assert commentary.notes[1].label == "Line 2, the fault"
    assert commentary.notes[1].why.endswith("Line 2 should read `S = Q @ K.T / np.sqrt(d)`.")
    assert not any("should read" in note.why for note in commentary.notes if note is not commentary.notes[1])
    assert [str(line).count("@") for line in commentary.figure.content] == [0, 1, 0, 0]  # line by line, to be broken


def test_the_fix_and_the_changes_are_not_shown_before_the_answer_is_final():
    for kind, secret in (("code-bug", "sqrt"), ("code-out", "axis=0"), ("code-out", "print(S)")):
        question = make_question(kind)
        variant = variant_of(question, "1")

        assert secret not in str((present(question, variant, None), stem(question, variant)))


def test_outputs_are_shuffled_and_keep_their_lines():
    question = make_question("code-out")
    orders = {variant_of(question, str(seed)).option_order for seed in range(40)}
    control = present(question, variant_of(question, "1"), None).control

    assert len(orders) > 12  # of 24
    assert any("[[0.5 0.5]\n [0.5 0.5]]" in option.html for option in control.options)


def test_a_wrong_output_says_after_which_change_of_which_line_it_is_printed():
    question = make_question("code-out")
    commentary = comment(question, variant_of(question, "1"), Answer(("hundreds",)))

    assert commentary.notes[0].why.startswith("This is printed if line 4 reads `print(100 * A)`.\n\nHundredwhy")
    assert commentary.notes[0].figure.content == "[[50. 50.]\n [50. 50.]]"
    assert commentary.notes[1].why.startswith("Halfwhy")


def test_less_than_and_ampersands_in_code_are_shown_as_they_are():
    text = CODE_BUG.replace("if d > 1:", "if 1 < d & 3:")
    question = make_question("code-bug", text=text)

    html = present(question, variant_of(question, "1"), None).control.options[2].html

    assert re.sub("<[^>]*>", "", html) == "if 1 &lt; d &amp; 3:"


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("right: true, fix", "misconception: m03-cosine, fix", "hold 0 right ones"),
        ("misconception: m03-cosine,", "right: true, fix: d = 2,", "hold 2 right ones"),
        ("right: true, fix", "right: true, slip: slip-arith, fix", "has no misconception and no slip"),
        ('fix: "S = Q @ K.T / np.sqrt(d)", ', "", "fix: is missing"),
        ("np.sqrt(d)", "np.sqrt(d", "is not Python"),
        ('fix: "S = Q @ K.T / np.sqrt(d)"', 'fix: "S = Q @ K.T / d"', "other than the faulty one"),
        ("slip: slip-arith,", "slip: slip-arith, fix: d = 1,", "not a key that is known"),
        ("if d > 1:", "if d > 1", "is not Python"),
        ("if d > 1:", "if d > 1:  # ≥ 2", "beyond ASCII"),
        ("d = K.shape[-1]", "import torch", "other than `import numpy as np`"),
        ("d = K.shape[-1]", "d = K.shape[-1]" + " + 0" * 20, "at most 72"),
        ("see: weights", "see: elsewhere", "no section of the card"),
        (f'why: "{REASON.format("Cwhy")}"', "why: Short.", "words"),
        ("m03-cosine", "m03-unheard-of", "not a misconception that misconceptions.yaml knows"),
    ],
)
def test_a_fault_in_a_which_line_question_is_reported(old, new, reason):
    assert old in CODE_BUG
    _, faults = parse("code-bug", CODE_BUG.replace(old, new))

    assert any(reason in fault for fault in faults), faults
    assert all(fault.startswith("bank.yaml:") for fault in faults)


@pytest.mark.parametrize(("count", "is_fault"), [(2, True), (3, False), (10, False), (11, True)])
def test_a_program_has_3_to_10_lines(count, is_fault):
    lines = [f'  - {{code: "a = {n}", why: "{WHY}", see: root}}' for n in range(count - 1)]
    text = "stem: Which line?\nlines:\n" + "\n".join(
        [f'  - {{code: b = 1, right: true, fix: b = 2, why: "{WHY}", see: root}}', *lines]
    )

    _, faults = parse("code-bug", text)

    assert any("lines" in fault for fault in faults) == is_fault


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"print(100 * A)"', '"print(A.round(2))"', "another way to write the same line"),
        ('from: "print(A.round(2))", to: "print(100', 'from: "S", to: "print(100', "stands 3 times in the code"),
        ('from: "print(A.round(2))", to: "print(100', 'from: "B", to: "print(100', "stands 0 times in the code"),
        ('to: "print(S)"', 'to: "print(S"', "is not Python"),
        ('to: "print(S)"', 'to: "print(100 * A)"', "the change of another option"),
        ('    change: {from: "print(A.round(2))", to: "print(S)"}\n', "", "change: is missing"),
        ("[[50. 50.]\n       [50. 50.]]", "[[0.5 0.5]\n       [0.5 0.5]]", "says the same as another option"),
        ("[[50. 50.]", "[[50. 50.]" + " " * 40 + "]", "more than 6 lines of 40"),
        ("[[50. 50.]", "[[50. 50.]" + "\n       1" * 6, "more than 6 lines of 40"),
        ("[[50. 50.]", "[[50. 50.–", "no printable ASCII"),
        ("import numpy as np", "from numpy import *", "other than `import numpy as np`"),
        ("import numpy as np", "import numpy as np\n  # 1" + "\n  # 2" * 6, "at most 10"),
        ("    right: true\n", "    slip: slip-arith\n", "hold 0 right ones"),
        ("    right: true\n", "    right: true\n    slip: slip-arith\n", "has no misconception and no slip"),
        ("    slip: slip-arith\n", "", "names a misconception or a slip"),
        ("id: scores", "id: halves", "the id of another option"),
        ("  - id: scores", "  - id: scores\n    text: more", "not a key that is known"),
        ("code: |", "program: |", "code: is missing"),
    ],
)
def test_a_fault_in_a_what_is_printed_question_is_reported(old, new, reason):
    assert old in CODE_OUT
    _, faults = parse("code-out", CODE_OUT.replace(old, new))

    assert any(reason in fault for fault in faults), faults
    assert all(fault.startswith("bank.yaml:") for fault in faults)


def test_there_are_four_outputs():
    _, faults = parse("code-out", CODE_OUT[: CODE_OUT.index("  - id: sum")])

    assert any("4 outputs" in fault for fault in faults)


@pytest.mark.parametrize("kind", CODE_KINDS)
def test_two_picks_are_refused(kind):
    question = make_question(kind)

    read = kind_of(kind).read(Posed(question.task, variant_of(question, "1")), {"choice": ["1", "2"]})

    assert isinstance(read, Unreadable)
