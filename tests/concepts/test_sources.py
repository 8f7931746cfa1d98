"""YAML is read so that each fault names its file, line and key, and no author's mistake raises."""

from pathlib import Path

import pytest

from courseware.concepts.faults import Faults
from courseware.concepts.sources import Fields, read_yaml

PATH = Path("x.yaml")


def read(text: str, faults: Faults, *, first_line: int = 1) -> Fields:
    mapping = read_yaml(PATH, faults, text=text, first_line=first_line)
    assert mapping is not None
    return Fields(mapping, PATH, faults)


def only(faults: Faults) -> str:
    (fault,) = faults
    return str(fault).removeprefix("x.yaml:")


@pytest.mark.parametrize(
    ("text", "ask", "fault"),
    [
        ("a: 1", lambda f: f.text("b"), "1: b: is missing"),
        ("x: 1\na: ''", lambda f: f.text("a"), "2: a: must not be empty"),
        ("a: [1]", lambda f: f.text("a"), "1: a: must be a text"),
        ("a: true", lambda f: f.text("a"), "1: a: must be a text"),
        ("a: red", lambda f: f.choice("a", ["blue", "green"]), "1: a: must be one of blue, green, not 'red'"),
        ("a: -1", lambda f: f.integer("a"), "1: a: must be a whole number of at least 0, not -1"),
        ("a: true", lambda f: f.integer("a"), "1: a: must be a whole number of at least 0, not True"),
        ("a: .nan", lambda f: f.number("a"), "1: a: must be a finite number, not nan"),
        ("a: .inf", lambda f: f.number("a"), "1: a: must be a finite number, not inf"),
        ("a: ten", lambda f: f.number("a"), "1: a: must be a number, not 'ten'"),
        ("a: yes please", lambda f: f.flag("a"), "1: a: must be true or false, not 'yes please'"),
        ("a: {b: 1}", lambda f: f.texts("a"), "1: a: must be a list"),
        ("a: [x, [y]]", lambda f: f.texts("a"), "1: a.1: must be a text"),
        ("a:\n- x\n- ''", lambda f: f.texts("a"), "3: a.1: must not be empty"),
        ("a:\n- 1\n- x", lambda f: f.numbers("a"), "3: a.1: must be a finite number, not 'x'"),
        ("a: [.inf]", lambda f: f.numbers("a"), "1: a.0: must be a finite number, not inf"),
        ("a: [true]", lambda f: f.numbers("a"), "1: a.0: must be a finite number, not True"),
        ("a: 1", lambda f: f.fields("a"), "1: a: must be a mapping"),
        ("a:\n- 1\n", lambda f: f.each("a"), "2: a.0: must be a mapping"),
        ("a: 1\nb: 2", lambda f: (f.integer("a"), f.refuse_unknown()), "2: b: is not a key that is known here"),
        ("a:\n  - b: 1\n    c: x", lambda f: f.each("a")[0].integer("c"), "3: a.0.c: must be a whole number"),
        ("a: 2026-13-45", lambda f: f.text("a", required=False), "1: a: cannot be read as a value"),
    ],
)
def test_fault_names_line_and_key(text, ask, fault):
    faults = Faults()

    ask(read(text, faults))

    assert only(faults).startswith(fault)


@pytest.mark.parametrize(
    ("word", "read_as"),
    [
        *((word, "true or false") for word in ("on", "off", "yes", "no", "Yes", "true", "FALSE")),
        *((word, "nothing") for word in ("null", "~", "")),
        *((word, "a number") for word in ("5", "1.10", "1_000", "12:30", ".inf", ".nan")),
        *((word, "a date") for word in ("2026-11-29", "2026-11-29 12:00:00")),
    ],
)
def test_word_that_yaml_takes_for_something_else_is_no_text_until_it_stands_in_quotes(word, read_as):
    reason = f"must be a text, and without quotes this is {read_as}; put it in quotes"
    faults = Faults()
    fields = read(f"x: 1\na: {word}\nb:\n  - fine\n  - {word}", faults)

    alone, listed = fields.text("a", required=False), fields.texts("b")

    assert [str(fault) for fault in faults] == [f"x.yaml:2: a: {reason}", f"x.yaml:5: b.1: {reason}"]
    assert (alone, listed) == ("", ())
    quoted = read(f"a: '{word or 'x'}'\nb: ['{word or 'x'}']", Faults())
    assert quoted.texts("b") == (quoted.text("a"),) == (word or "x",)


def test_number_in_scientific_notation_is_a_number():
    assert read("a: 1e-9", Faults()).number("a") == 1e-9


def test_key_that_stands_twice_is_a_fault():
    faults = Faults()

    read("a: 1\nb:\n  c: 1\n  c: 2", faults)

    assert only(faults) == "4: b.c: stands twice in the same mapping"


def test_front_matter_counts_lines_of_its_file():
    faults = Faults()

    read("a: 1\nb: ''", faults, first_line=2).text("b")

    assert only(faults) == "3: b: must not be empty"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("a: [", "is not YAML"), ("- 1", "must hold a mapping"), ("", "must hold a mapping"), ("a: *b", "is not YAML")],
)
def test_text_that_is_no_mapping_is_one_fault(text, reason):
    faults = Faults()

    assert read_yaml(PATH, faults, text=text) is None
    assert reason in only(faults)


def test_missing_file_is_a_fault(tmp_path):
    faults = Faults()

    assert read_yaml(tmp_path / "none.yaml", faults) is None
    assert "cannot be read" in str(next(iter(faults)))


def test_tags_that_would_run_code_are_refused():
    faults = Faults()

    read("a: !!python/object/apply:os.system ['true']\nb: !!python/name:os.system x", faults)

    assert any("cannot be read as a value" in str(fault) for fault in faults)


def test_repeated_aliases_do_not_blow_up():
    faults = Faults()
    text = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 9))

    read_yaml(PATH, faults, text=text)

    assert {fault.reason for fault in faults} == {"repeats a list or mapping by an alias; write it out"}


def test_alias_of_itself_is_a_fault():
    faults = Faults()

    read_yaml(PATH, faults, text="a: &a [*a]")

    assert "by an alias" in only(faults)


def test_text_nested_ten_thousand_deep_is_a_fault():
    faults = Faults()

    assert read_yaml(PATH, faults, text="a: " + "[" * 10_000) is None
    assert len(faults) == 1
