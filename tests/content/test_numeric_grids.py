"""Over all the numbers that a numeric question can draw, a diagnosed wrong value is never mistaken for the key.

Read from the files themselves and not through the loader, so that a fault in the loader cannot hide one here.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from quizzes.expressions import parse_expression
from quizzes.variants import combinations

COURSE = Path(__file__).parents[2] / "courseware/content"


def numeric_questions() -> Iterator[Any]:
    for path in sorted(COURSE.glob("*/concepts/*/bank.yaml")):
        bank = yaml.safe_load(path.read_text(encoding="utf-8"))
        for question in bank["questions"]:
            if question["kind"] == "numeric":
                yield pytest.param(question, id=f"{path.parent.name}/{question['id']}")


def reach(tolerance: Any, key: float) -> float:
    """How far from the key an answer may be."""
    if tolerance == "exact":
        return 0.0
    return float(tolerance["abs"]) if "abs" in tolerance else float(tolerance["rel"]) * abs(key)


@pytest.mark.parametrize("question", list(numeric_questions()))
def test_no_wrong_value_lies_within_twice_the_tolerance_of_the_key(question: Any) -> None:
    where = parse_expression(str(question["where"])) if "where" in question else None
    for values in combinations(question["parameters"], where):
        key = parse_expression(str(question["answer"])).number(values)
        for wrong in question["wrong"]:
            value = parse_expression(str(wrong["value"])).number(values)
            assert abs(value - key) > 2 * reach(question["tolerance"], key), (values, wrong["value"])


@pytest.mark.parametrize("question", list(numeric_questions()))
def test_no_two_slips_give_the_same_number(question: Any) -> None:
    where = parse_expression(str(question["where"])) if "where" in question else None
    for values in combinations(question["parameters"], where):
        key = parse_expression(str(question["answer"])).number(values)
        found = sorted(parse_expression(str(wrong["value"])).number(values) for wrong in question["wrong"])
        gaps = [higher - lower for lower, higher in itertools.pairwise(found)]
        assert all(gap > 2 * reach(question["tolerance"], key) for gap in gaps), (values, found)
