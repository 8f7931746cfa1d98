import copy
from pathlib import Path

import pytest

from courseware.concepts.course import load_course
from courseware.concepts.faults import Faults
from quizzes.bank import load_bank
from quizzes.bank_rules import check_echoes
from quizzes.paper import Order
from tests.quizzes.courses import CONCEPT, edited_course, edited_file, first_of, move_the_key
from tests.short_test import REAL_COURSE


def load(path: Path):
    course = load_course(path, Faults())
    faults = Faults()
    return load_bank(course, faults), list(faults)


def test_the_course_that_ships_has_no_fault_in_its_banks():
    bank, faults = load(REAL_COURSE)

    assert faults == []
    assert {question.kind for question in bank.questions.values()} >= {"single", "multi", "numeric"}
    assert set(bank.self_checks) == {question.concept_id for question in bank.questions.values()}
    assert bank.blueprints["module-test"].question_count >= 1


def test_every_fault_is_reported_at_once_with_file_line_and_key(tmp_path):
    def edit(bank):
        first_of(bank, "single")["options"][0]["why"] = "Too short."
        first_of(bank, "multi")["facts"] = ["F99"]
        first_of(bank, "numeric")["wrong"][0]["misconception"] = "m03-unheard-of"
        bank["self_check"]["options"][1]["see"] = "elsewhere"

    path = edited_course(tmp_path, edit)
    _, faults = load(path)

    keys = {fault.key for fault in faults}
    assert {"questions.0.options.0.why", "self_check.options.1.see"} <= keys
    assert any(key.endswith(".facts") for key in keys)
    assert any(key.endswith(".wrong.0.misconception") for key in keys)
    lines = edited_file(path, "bank.yaml").read_text(encoding="utf-8").splitlines()
    for fault in faults:
        assert fault.path.name == "bank.yaml"
        assert lines[fault.line - 1].strip().removeprefix("- ").startswith(fault.key.split(".")[-1])


def add_twin(bank):
    bank["questions"].append(copy.deepcopy(first_of(bank, "single")))


def rename(bank, slug):
    first_of(bank, "single")["id"] = slug


def lengthen_keys(bank):
    for question in bank["questions"]:
        if question["kind"] == "single":
            for option in question["options"]:
                option["text"] = "Longest key" if option.get("right") else f"Not {option['id'][:4]}"


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (add_twin, "the id of another question"),
        (add_twin, "the stem of another question"),
        (lambda bank: rename(bank, "self-check"), "must not be 'self-check'"),
        (lambda bank: rename(bank, "Why_Root"), "small letters, digits and single hyphens"),
        (lambda bank: bank["self_check"].update(id="check"), "must be 'self-check'"),
        (lambda bank: bank["self_check"].update(kind="multi"), "must be one of single"),
        (lambda bank: bank.pop("self_check"), "self_check: is missing"),
        (lambda bank: bank.update(question=[]), "not a key that is known"),
        (lambda bank: first_of(bank, "single").update(enemies=["nobody"]), "no other question of this bank"),
        (lambda bank: first_of(bank, "single").update(kind="essay"), "must be one of code-bug, code-out, "),
        (lambda bank: first_of(bank, "single").update(pool="exam"), "must be one of test, practice"),
        (lambda bank: first_of(bank, "single").update(bloom="know"), "must be one of remember"),
        (lambda bank: first_of(bank, "single").update(stem=r"Why $\frac{1$?"), "cannot be read"),
        (lambda bank: first_of(bank, "single").update(hint="none"), "not a key that is known"),
        (lambda bank: bank.update(questions=bank["questions"][:3]), "whose test pool has 2"),
        (lengthen_keys, "the right option is the longest in"),
    ],
)
def test_a_fault_of_a_bank_is_reported(tmp_path, edit, reason):
    _, faults = load(edited_course(tmp_path, edit))

    assert any(reason in str(fault) for fault in faults), [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("edit", "reason"),
    [
        (lambda draw: draw.update(concept="unheard-of"), "no concept of this module"),
        (lambda draw: draw.update(count=50), "asks for 50"),
        (lambda draw: draw.update(count=0), "at least 1"),
        (lambda draw: draw.update(only="single"), "not a key that is known"),
    ],
)
def test_a_fault_of_a_draw_is_reported(tmp_path, edit, reason):
    def edit_draw(values):
        edit(values["blueprints"]["module-test"]["draw"][0])

    _, faults = load(edited_course(tmp_path, edit_draw, file="blueprint.yaml"))

    assert any(reason in str(fault) for fault in faults), [str(fault) for fault in faults]


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"at_least": {"essay": 1}}, "no kind of question and no Bloom level"),
        ({"at_most": {"create": 1}}, "no kind of question and no Bloom level"),
        ({"at_least": {"numeric": 50}}, "cannot be served together with at least 50 numeric"),
        ({"order": "random"}, "must be one of by concept, mixed"),
    ],
)
def test_a_fault_of_a_blueprint_is_reported(tmp_path, values, reason):
    def edit(file):
        file["blueprints"]["module-test"].update(values)

    _, faults = load(edited_course(tmp_path, edit, file="blueprint.yaml"))

    assert any(reason in str(fault) for fault in faults), [str(fault) for fault in faults]


def test_a_blueprint_says_what_its_papers_hold_and_in_which_order(tmp_path):
    def edit(file):
        file["blueprints"]["module-test"].update(at_least={"apply": 2, "numeric": 1}, order="mixed")

    bank, faults = load(edited_course(tmp_path, edit, file="blueprint.yaml"))

    assert not list(faults)
    assert bank.blueprints["module-test"].at_least == {"apply": 2, "numeric": 1}
    assert bank.blueprints["module-test"].order is Order.MIXED


def test_enmity_is_mutual_even_when_one_side_names_it(tmp_path):
    def edit(bank):
        first_of(bank, "multi")["enemies"] = [first_of(bank, "numeric")["id"]]
        first_of(bank, "numeric").pop("enemies", None)

    bank, _ = load(edited_course(tmp_path, edit))
    edited = [question for question in bank.questions.values() if question.concept_id == CONCEPT]
    numeric = next(question for question in edited if question.kind == "numeric")

    assert any(bank.questions[enemy].kind == "multi" for enemy in numeric.enemies if enemy in bank.questions)


@pytest.mark.parametrize("pool", ["practice", "self-check"])
def test_what_explains_itself_during_a_test_is_no_enemy_of_a_test_question(tmp_path, pool):
    """Whichever of the two names the other."""

    def edit(bank):
        in_test = next(each for each in bank["questions"] if each["pool"] == "test")
        if pool == "self-check":
            bank["self_check"]["enemies"] = [in_test["id"]]
        else:
            next(each for each in bank["questions"] if each["pool"] == pool)["enemies"] = [in_test["id"]]

    _, faults = load(edited_course(tmp_path, edit))

    assert any("is an enemy and explains itself meanwhile" in str(fault) for fault in faults), faults


def test_a_moved_key_is_a_good_bank(tmp_path):
    """The helper that other tests edit the course with must leave a course that can be served."""
    _, faults = load(edited_course(tmp_path, move_the_key))

    assert faults == []


def forget_all_but_one(bank):
    for question in bank["questions"][1:]:
        question["bloom"] = "remember"


def copy_the_stem(bank):
    question = first_of(bank, "single")
    question["stem"] = "Which of these numbers do the scores of one query have to be divided by?"
    question["options"][0]["why"] = (
        "What the scores of one query have to be divided by is the root of the width. Dividing by the width "
        "itself would leave a spread of one eighth at width 64."
    )


def test_a_bank_that_asks_for_memory_is_refused(tmp_path):
    _, faults = load(edited_course(tmp_path, forget_all_but_one))

    reasons = [fault.reason for fault in faults if fault.key == "questions"]
    assert any("ask to understand, apply or analyse; 50% do at least" in reason for reason in reasons)


def test_an_explanation_that_repeats_its_question_is_reported_at_its_line(tmp_path):
    path = edited_course(tmp_path, copy_the_stem)
    faults = Faults()

    check_echoes(path, faults)

    (fault,) = faults
    assert (
        fault.path.read_text(encoding="utf-8").splitlines()[fault.line - 1].strip().startswith("why: What the scores")
    )
