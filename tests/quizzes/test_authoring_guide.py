"""The authors' guide: a section for every kind, with an example that the loader takes but for its short texts."""

import re
from pathlib import Path

import pytest
import yaml

from courseware.concepts.course import current, load_course
from courseware.concepts.faults import Faults
from courseware.concepts.rendered import Rendered
from quizzes.bank import load_bank
from quizzes.questions import Cause, Grounds
from quizzes.registry import kinds
from tests.quizzes.making import parse
from tests.short_test import course_with_a_short_test

GUIDE = (Path(__file__).parents[2] / "docs/authoring.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## `([a-z-]+)`\n(.*?)(?=^## |\Z)", GUIDE, re.MULTILINE | re.DOTALL))
CUT_SHORT = re.compile(r"why: has \d+ (?:words|sentences)")


@pytest.fixture(scope="module")
def grounds() -> Grounds:
    course = current()
    concept = course.concept("scaled-dot-product-attention")
    known = [*course.misconceptions.values(), *course.slips.values()]
    return Grounds(
        concept_id=concept.id,
        sections=frozenset(section.id for section in concept.card.sections),
        facts=frozenset(concept.card.facts),
        causes={each.id: Cause(each.id, each.label) for each in known},
        rendered=Rendered(None, ""),
    )


def test_every_kind_has_a_section():
    assert set(SECTIONS) == set(kinds())


@pytest.mark.parametrize("kind", sorted(SECTIONS))
def test_the_example_of_a_kind_is_one_that_the_loader_takes(kind: str, grounds: Grounds):
    (example,) = re.findall(r"```yaml\n(.*?)```", SECTIONS[kind], re.DOTALL)

    task, faults = parse(kind, example, grounds)

    assert task is not None
    assert [fault for fault in faults if not CUT_SHORT.search(fault)] == []


def test_the_examples_of_the_module_are_those_that_the_loader_takes(tmp_path: Path):
    """Each example is put into a copy of the course in the place of the file that it is about."""
    examples = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", GUIDE, re.DOTALL)]
    files = {"terms": "glossary.yaml", "symbols": "notation.yaml", "blueprints": "blueprint.yaml"}
    copy = course_with_a_short_test(tmp_path / "course")
    for example in examples:
        if isinstance(example, dict) and (key := next(iter(example))) in files:
            written = yaml.safe_dump(example, allow_unicode=True)
            (next(copy.glob("*/module.yaml")).parent / files.pop(key)).write_text(written, encoding="utf-8")
    faults = Faults()

    bank = load_bank(load_course(copy, faults), faults)

    assert files == {}
    assert list(faults) == []
    assert set(bank.blueprints) == {"module-test", "practice-1"}
