"""An exercise folder is read whole, or every fault in it is reported at once."""

from decimal import Decimal
from pathlib import Path

import pytest

from courseware.concepts.faults import Faults
from grader.exercise_files import load_exercises, report_unknown_beliefs
from grader.exercises import Exercise, exercises_digest
from grader.judge.folders import as_inputs

COURSE = Path("courseware/content")

GOOD = """
title: Write the identity
library: numpy
function: same
filename: same.py
parameters:
  - {name: x, shape: "…, width", meaning: any numbers}
returns: {shape: "…, width", meaning: the same numbers}
dtype: float64
marks: 2
tolerance: {relative: 1e-9, absolute: 1e-10, single_precision: 1e-5, reason: no rounding is needed}
limits: {call_seconds: 1, total_seconds: 5, memory_mebibytes: 256, output_kibibytes: 64, reason: a copy}
checks:
  - {id: values, title: The values are right, hint: Return the argument itself., marks: 2}
examples:
  - {id: two, title: Two numbers, inputs: {x: [1, 2]}, expected: [1, 2]}
wrong:
  - {id: zero, belief: slip-partial, class: wrong, caught_by: values, likeness: zeros, detail: It forgets x.}
"""


def folder_in(course: Path, *, description: str = GOOD, slug: str = "same", concept: str = "01-copies") -> Path:
    folder = course / "01-module" / "concepts" / concept / slug
    folder.mkdir(parents=True)
    (folder / "exercise.yaml").write_text(description, encoding="utf-8")
    (folder / "brief.md").write_text("Return what you get.", encoding="utf-8")
    (folder / "starter.py").write_text("def same(x):\n    ...\n", encoding="utf-8")
    for name in ("reference.py", "checks.py", "switches.py"):
        (folder / name).write_text("", encoding="utf-8")
    return folder


def load(course: Path) -> tuple[dict[str, Exercise], list[str]]:
    faults = Faults()
    exercises = load_exercises(course, faults)
    return exercises, [f"{error.line}: {error.key}: {error.reason}" for error in faults]


def test_good_folder_is_read_whole(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)

    exercises, faults = load(tmp_path)

    exercise = exercises["same"]
    assert faults == []
    assert (exercise.concept_id, exercise.signature, exercise.marks) == ("copies", "same(x)", Decimal(2))
    assert exercise.examples[0].inputs == (("x", (1.0, 2.0)),)
    assert exercise.limits.to_message()["memory_bytes"] == 256 * 1024 * 1024
    assert exercise.folder == folder


WITH_PLACE = GOOD.replace(
    "returns:",
    '  - {name: place, default: "0", meaning: where}\n  - {name: how, default: None, meaning: any}\nreturns:',
)


def test_default_and_plain_argument_are_read(tmp_path: Path) -> None:
    folder = folder_in(tmp_path, description=WITH_PLACE.replace("{x: [1, 2]}", "{x: [1, 2], place: 1}"))
    (folder / "starter.py").write_text("def same(x, place=0, how=None):\n    ...\n", encoding="utf-8")

    exercises, faults = load(tmp_path)

    assert faults == []
    assert exercises["same"].signature == "same(x, place=0, how=None)"
    assert exercises["same"].examples[0].inputs == (("x", (1.0, 2.0)), ("place", 1))


WITH_MASK = GOOD.replace(
    "returns:",
    "  - {name: keep, shape: width, meaning: which}\n  - {name: heads, plain: true, meaning: how many}\nreturns:",
)


def test_truth_values_and_a_plain_argument_without_default_are_read(tmp_path: Path) -> None:
    inputs = "{x: [1, 2], keep: [true, false], heads: 2}"
    folder = folder_in(tmp_path, description=WITH_MASK.replace("{x: [1, 2]}", inputs))
    (folder / "starter.py").write_text("def same(x, keep, heads):\n    ...\n", encoding="utf-8")

    exercises, faults = load(tmp_path)

    assert faults == []
    x, keep, heads = as_inputs(exercises["same"].examples[0].inputs)
    assert (x.dtype, keep.dtype, heads) == (float, bool, 2)


@pytest.mark.parametrize(("old", "new"), [("[true, false]", "[true, 0]"), (", heads: 2", "")])
def test_mixed_truth_values_and_a_missing_plain_argument_are_faults(tmp_path: Path, old: str, new: str) -> None:
    inputs = "{x: [1, 2], keep: [true, false], heads: 2}".replace(old, new)
    folder = folder_in(tmp_path, description=WITH_MASK.replace("{x: [1, 2]}", inputs))
    (folder / "starter.py").write_text("def same(x, keep, heads):\n    ...\n", encoding="utf-8")

    assert len(load(tmp_path)[1]) == 1


@pytest.mark.parametrize(
    ("inputs", "key"),
    [
        ("{x: [1, 2], place: [1]}", "examples.0.inputs.place"),
        ("{x: [1, 2], how: 1}", "examples.0.inputs.how"),
        ("{place: 1}", "examples.0.inputs.x"),
    ],
    ids=["a list for a plain value", "a gap before a later argument", "an array left out"],
)
def test_arguments_that_make_no_call_are_a_fault(tmp_path: Path, inputs: str, key: str) -> None:
    folder = folder_in(tmp_path, description=WITH_PLACE.replace("{x: [1, 2]}", inputs))
    (folder / "starter.py").write_text("def same(x, place=0, how=None):\n    ...\n", encoding="utf-8")

    _, faults = load(tmp_path)

    assert {fault.split(": ")[1] for fault in faults} == {key}


def test_starter_with_another_signature_is_a_fault(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)
    (folder / "starter.py").write_text("def same(y):\n    ...\n", encoding="utf-8")

    _, faults = load(tmp_path)

    assert faults == ["1: file: must define same(x)"]


def test_starter_may_be_a_class_that_is_made_with_the_signature(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)
    starter = "class same(list):\n    def __init__(self, {}):\n        ...\n"

    (folder / "starter.py").write_text(starter.format("x"), encoding="utf-8")
    exercises, faults = load(tmp_path)
    (folder / "starter.py").write_text(starter.format("y"), encoding="utf-8")

    assert (faults, exercises["same"].opening) == ([], "class same(list)")
    assert load(tmp_path)[1] == ["1: file: must define same(x)"]


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ("title: Write the identity\n", "", "title"),
        ("library: numpy", "library: jax", "library"),
        ("marks: 2\ntol", "marks: 3\ntol", "marks"),
        ("relative: 1e-9", "relative: 0", "relative"),
        ("call_seconds: 1", "call_seconds: 9", "call_seconds"),
        ("memory_mebibytes: 256", "memory_mebibytes: lots", "memory_mebibytes"),
        ("hint: Return the argument itself., ", "", "hint"),
        ("id: values, title", "id: The Values, title", "id"),
        ("expected: [1, 2]", "expected: [[1], [2, 3]]", "expected"),
        ("inputs: {x: [1, 2]}", "inputs: {y: [1, 2]}", "x"),
        ("inputs: {x: [1, 2]}", "inputs: {x: [one, 2]}", "x"),
        ("caught_by: values", "caught_by: shape", "wrong"),
        ("class: wrong", "class: dubious", "class"),
        ("likeness: zeros", "likeness: zeros, equals: [one]", "wrong"),
        ("dtype: float64", "dtype: float64\ncolour: red", "colour"),
    ],
)
def test_fault_names_its_key(tmp_path: Path, old: str, new: str, key: str) -> None:
    assert old in GOOD
    folder_in(tmp_path, description=GOOD.replace(old, new))

    exercises, faults = load(tmp_path)

    assert exercises == {}
    assert any(fault.split(": ")[1].endswith(key) for fault in faults), faults


def test_all_faults_of_all_folders_are_reported_at_once(tmp_path: Path) -> None:
    folder_in(tmp_path, description=GOOD.replace("title: Write the identity\n", "").replace("numpy", "jax"))
    other = folder_in(tmp_path, slug="other", concept="02-more")
    (other / "starter.py").write_text("def different(x): ...", encoding="utf-8")
    (other / "checks.py").write_text("def (", encoding="utf-8")
    (other / "brief.md").unlink()

    _, faults = load(tmp_path)

    assert len(faults) == 5


def test_exercises_of_a_concept_stand_in_their_own_order_and_not_in_that_of_their_names(tmp_path: Path) -> None:
    folder_in(tmp_path, description=f"order: 2{GOOD}", slug="apples")
    folder_in(tmp_path, description=f"order: 1{GOOD}", slug="pears")
    folder_in(tmp_path, slug="plums", concept="00-fewer")

    exercises, faults = load(tmp_path)

    assert faults == []
    assert list(exercises) == ["plums", "pears", "apples"]


def test_place_that_another_exercise_of_the_concept_has_is_a_fault(tmp_path: Path) -> None:
    folder_in(tmp_path, slug="apples")
    folder_in(tmp_path, slug="pears")

    _, faults = load(tmp_path)

    assert faults == ["1: order: 1 is the place of apples; a concept's exercises each have their own"]


def test_same_slug_twice_is_a_fault(tmp_path: Path) -> None:
    folder_in(tmp_path)
    folder_in(tmp_path, concept="02-more")

    _, faults = load(tmp_path)

    assert len(faults) == 1 and "is taken by" in faults[0]


def test_unknown_belief_is_a_fault(tmp_path: Path) -> None:
    folder_in(tmp_path)
    exercises, _ = load(tmp_path)
    faults = Faults()

    report_unknown_beliefs(exercises.values(), {"m01-other"}, faults)

    assert [error.key for error in faults] == ["wrong.zero.belief"]


def test_digest_changes_with_any_file_and_with_nothing_else(tmp_path: Path) -> None:
    folder = folder_in(tmp_path)
    before = load(tmp_path)[0]["same"].digest
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "checks.pyc").write_bytes(b"compiled")

    unchanged = load(tmp_path)[0]["same"]
    (folder / "checks.py").write_text("# changed", encoding="utf-8")
    changed = load(tmp_path)[0]["same"]

    assert unchanged.digest == before != changed.digest
    assert exercises_digest([unchanged]) != exercises_digest([changed])
