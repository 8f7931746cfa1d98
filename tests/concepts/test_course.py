"""A course directory is loaded whole, or every fault of every file is said at once."""

from pathlib import Path

import pytest

from courseware.concepts.course import current, load_course
from courseware.concepts.faults import BrokenCourse, Faults
from tests.concepts.courses import MISCONCEPTIONS, MODULE, card_text, faults_of, load, make_course

REAL = Path(__file__).parents[2] / "courseware" / "content"


def test_real_course_has_no_fault():
    """How long it takes is `./run bench content`."""
    faults = Faults()

    course = load_course(REAL, faults)

    assert [str(fault) for fault in faults] == []
    assert len(course.module.concepts) == 19
    assert course.concept("scaled-dot-product-attention").card is not None


def test_concept_without_a_folder_is_in_preparation(tmp_path):
    course = load(make_course(tmp_path))

    assert [(concept.number, concept.id, concept.card is None) for concept in course.module.concepts] == [
        (1, "ripples", False),
        (2, "tides", True),
    ]
    assert course.concept("tides").folder is None
    assert course.concept("nothing") is None


def test_misconception_may_point_into_a_concept_in_preparation(tmp_path):
    course = load(make_course(tmp_path))

    written = course.place(course.misconceptions["m01-water-travels"])
    unwritten = course.place(course.misconceptions["m02-one-tide"])

    assert (written.is_written, written.section_title) == (True, "Height")
    assert (unwritten.is_written, unwritten.concept.title, unwritten.section_title) == (False, "Tides", "")


def test_causes_have_labels_and_an_unknown_one_keeps_its_id(tmp_path):
    course = load(make_course(tmp_path))

    assert course.label("m01-water-travels") == "Water that travels with the wave"
    assert course.label("slip-sign") == "A sign the wrong way round"
    assert course.label("m09-gone") == "m09-gone"


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("number: 1", "number: 2", "1: id: with its number makes 02-waves, but the folder is 01-waves"),
        ("id: waves", "id: wave", "1: id: with its number makes 01-wave, but the folder is 01-waves"),
        ("promise: What moves when a wave moves.\n", "", "1: promise: is missing"),
        ("number: 1", "number: one", "2: number: must be a whole number"),
        ("title: Waves", "titel: Waves", "3: titel: is not a key that is known here"),
        ("id: tides", "id: ripples", "1: concepts.1.id: 'ripples' stands twice in the course"),
        ("    promise: Still being written.\n", "", "9: concepts.1.promise: is missing"),
        ("title: Tides", "title: $\\nope$", "10: concepts.1.title: a formula cannot be read"),
    ],
)
def test_fault_of_the_module_is_named(tmp_path, old, new, fault):
    assert old in MODULE

    faults = faults_of(make_course(tmp_path, module=MODULE.replace(old, new, 1)))

    assert any(found.startswith(f"01-waves/module.yaml:{fault}") for found in faults)


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        (
            "see: ripples#height",
            "see: ripples#depth",
            "7: misconceptions.m01-water-travels.see: the card ripples has no",
        ),
        ("see: ripples#height", "see: waves#x", "7: misconceptions.m01-water-travels.see: the module has no concept"),
        ("see: ripples#height", "see: ripples", "7: misconceptions.m01-water-travels.see: has the form"),
        ("m01-water-travels", "water", "2: misconceptions.water: is no id of this kind"),
        ("slip-sign", "sign", "15: slips.sign: is no id of this kind"),
        ("with $v$", "with $\\nope$", "4: misconceptions.m01-water-travels.belief: a formula cannot be read"),
        (
            "label: One tide a day",
            "label: One tide a day.",
            "9: misconceptions.m02-one-tide.label: ends with a full stop",
        ),
        ("label: One tide a day", "label: One *tide*", "9: misconceptions.m02-one-tide.label: holds markup"),
        ("label: One tide a day", f"label: {'a' * 71}", "9: misconceptions.m02-one-tide.label: has 71 characters"),
        ("    right: It rises twice.\n", "", "8: misconceptions.m02-one-tide.right: is missing"),
        ("    label: A sign", "    lable: A sign", "15: slips.slip-sign.label: is missing"),
        ("m02-one-tide", "m01-water-travels", "8: misconceptions.m01-water-travels: stands twice"),
    ],
)
def test_fault_of_a_misconception_is_named(tmp_path, old, new, fault):
    assert old in MISCONCEPTIONS

    faults = faults_of(make_course(tmp_path, misconceptions=MISCONCEPTIONS.replace(old, new, 1)))

    assert any(found.startswith(f"01-waves/misconceptions.yaml:{fault}") for found in faults), faults


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("waves/", "is not named like"),
        ("01-waves/extra/", "is not known here; folders here are concepts, notes"),
        ("01-waves/notes.txt", "is not known here; files here are"),
        ("01-waves/concepts/02-floods/", "belongs to no concept"),
        ("01-waves/concepts/02-ripples/", "belongs to no concept"),
        ("01-waves/concepts/Ripples/", "is not named like"),
        ("01-waves/concepts/01-ripples/draft/", "is not known here; folders here are exercises"),
        ("01-waves/concepts/01-ripples/card2.md", "is not known here; files here are bank.yaml, card.md"),
    ],
)
def test_unknown_entry_is_reported_not_ignored(tmp_path, entry, reason):
    root = make_course(tmp_path)
    path = root / entry
    if entry.endswith("/"):
        path.mkdir(parents=True)
    else:
        path.write_text("", encoding="utf-8")

    (fault,) = faults_of(root)

    assert fault.startswith(f"{entry.rstrip('/')}:1: ")
    assert reason in fault


def test_exercises_notes_and_hidden_entries_are_no_faults(tmp_path):
    root = make_course(tmp_path)
    for folder in (".git", "01-waves/notes", "01-waves/concepts/01-ripples/measure", "01-waves/concepts/__pycache__"):
        (root / folder).mkdir()
    (root / "01-waves/concepts/01-ripples/measure/exercise.yaml").write_text("", encoding="utf-8")
    (root / "README.md").write_text("", encoding="utf-8")

    assert faults_of(root) == []


def test_empty_folder_is_a_fault(tmp_path):
    root = make_course(tmp_path)
    (root / "01-waves/concepts/02-tides").mkdir()

    (fault,) = faults_of(root)

    assert fault.startswith("01-waves/concepts/02-tides:1: folder: is empty")


@pytest.mark.parametrize("name", ["", "nothing-here"])
def test_directory_without_a_module_is_a_fault(tmp_path, name):
    faults = Faults()

    load_course(tmp_path / name, faults)

    assert "holds no module" in str(next(iter(faults)))


def test_faults_of_all_files_are_reported_at_once(tmp_path):
    root = make_course(
        tmp_path,
        module=MODULE.replace("title: Tides", "title: $\\nope$"),
        misconceptions=MISCONCEPTIONS.replace("with $v$", "with $\\nope$"),
        card=card_text().replace("$$E=vh$$", "$$E=\\nope$$").replace("Here $v$", "Here $\\nope$"),
    )

    assert {fault.split(":")[0] for fault in faults_of(root)} == {
        "01-waves/module.yaml",
        "01-waves/misconceptions.yaml",
        "01-waves/concepts/01-ripples/card.md",
    }


def test_ids_are_unique_across_modules(tmp_path):
    root = make_course(tmp_path)
    other = root / "02-more"
    other.mkdir()
    module = MODULE.replace("id: waves\nnumber: 1", "id: more\nnumber: 2")
    (other / "module.yaml").write_text(module, encoding="utf-8")
    (other / "misconceptions.yaml").write_text(MISCONCEPTIONS, encoding="utf-8")

    faults = faults_of(root)

    for expected in ("'ripples' stands twice", "m01-water-travels: is an id that another", "slip-sign: is an id that"):
        assert sum(expected in fault for fault in faults) == 1


def test_digest_changes_with_any_file_that_is_read(tmp_path):
    before = load(make_course(tmp_path)).digest

    assert load(make_course(tmp_path)).digest == before
    assert load(make_course(tmp_path, module=MODULE.replace("A first look", "A look"))).digest != before
    assert load(make_course(tmp_path, card=card_text().replace("Water stays", "Water rests"))).digest != before


def test_site_serves_the_course_of_its_settings_and_loads_it_once(tmp_path, settings):
    settings.COURSE_PATH = make_course(tmp_path)

    assert current().module.id == "waves"
    assert current() is current()


def test_site_refuses_a_broken_course_naming_each_fault(tmp_path, settings):
    settings.COURSE_PATH = make_course(tmp_path, module=MODULE.replace("number: 1", "number: 3"))

    with pytest.raises(BrokenCourse) as caught:
        current()

    assert "module.yaml:1: id: with its number" in str(caught.value)


def test_a_concept_may_have_its_misconceptions_and_exercises_before_its_card(tmp_path):
    root = make_course(tmp_path)
    tides = root / "01-waves/concepts/02-tides"
    tides.mkdir()
    (tides / "misconceptions.yaml").write_text(BELIEF_ABOUT_TIDES, encoding="utf-8")

    course = load(root)
    assert course.misconceptions["m02-moon-alone"].see_section == "bulges"
    assert course.module.concepts[1].card is None


def test_faults_of_a_concepts_misconceptions_name_its_own_file(tmp_path):
    root = make_course(tmp_path)
    ripples = root / "01-waves/concepts/01-ripples"
    (ripples / "misconceptions.yaml").write_text(
        BELIEF_ABOUT_TIDES.replace("tides#bulges", "ripples#bulges").replace("m02-moon-alone", "m02-one-tide"),
        encoding="utf-8",
    )

    assert faults_of(root) == [
        "01-waves/concepts/01-ripples/misconceptions.yaml:1: m02-one-tide: is an id that another file has already",
        "01-waves/concepts/01-ripples/misconceptions.yaml:7: misconceptions.m02-one-tide.see: "
        "the card ripples has no section 'bulges'",
    ]


def test_questions_about_a_card_that_is_not_written_are_refused(tmp_path):
    root = make_course(tmp_path)
    tides = root / "01-waves/concepts/02-tides"
    tides.mkdir()
    (tides / "bank.yaml").write_text("questions: []", encoding="utf-8")

    (fault,) = faults_of(root)
    assert "02-tides/bank.yaml:1: file: asks about a card that is not written" in fault


BELIEF_ABOUT_TIDES = """\
misconceptions:
  m02-moon-alone:
    label: The moon alone
    belief: Only the moon pulls.
    wrong_because: The sun pulls too.
    right: Both pull.
    see: tides#bulges
"""
