"""Low precision: how inputs are rounded, and how near a result must be."""

from typing import Any

import numpy as np
import pytest

from grader.judge.arrays import from_wire, rounded_to_wire
from grader.judge.guests import TrustedGuest, open_trusted
from grader.judge.judging import judge
from grader.judge.precision_rules import FORMATS
from tests.judge.benches import bench, judged, style


@pytest.mark.parametrize(
    ("number", "rounded"),
    [
        (1.0, 1.0),
        (1 + 2**-8, 1.0),
        (1 + 3 * 2**-8, 1 + 2**-6),
        (1 + 2**-8 + 2**-20, 1 + 2**-7),
        (-3.1416, -3.140625),
    ],
)
def test_bfloat16_is_rounded_to_the_nearest_and_ties_to_even(number: float, rounded: float) -> None:
    wire = rounded_to_wire(np.array([number]), "bfloat16")

    assert (wire.dtype, len(wire.data)) == ("bfloat16", 2)
    assert from_wire(wire)[0] == rounded


def test_float16_is_rounded_as_numpy_does() -> None:
    assert from_wire(rounded_to_wire(np.array([2049.0]), "float16"))[0] == 2048


def test_allowed_error_is_twice_that_of_the_plain_way_and_never_beyond_the_cap() -> None:
    for each in FORMATS:
        assert each.allowed(0.0) == each.floor
        assert each.allowed(each.floor) == 3 * each.floor
        assert each.allowed(1.0) == each.cap


def test_what_cannot_be_run_apart_costs_nothing() -> None:
    slug = "flash-attention-forward"

    verdict = judged(style("tiles", slug), slug=slug)

    assert [report.outcome.value for report in verdict.checks[-2:]] == ["holds", "holds"]
    assert (verdict.marks_fraction, verdict.cost) == ("1.0000", None)
    assert [check.id for check in bench(slug).exercise.checks[-2:]] == ["low-precision", "cost"]


def test_further_runs_have_guests_of_their_own() -> None:
    """On a judge with a device these are on the CPU."""
    slug, opened = "flash-attention-forward", []

    def plain_opener(**given: Any) -> TrustedGuest:
        opened.append(given["source"])
        return open_trusted(**given)

    judge(bench(slug), style("tiles", slug), seed=1, opener=open_trusted, plain_opener=plain_opener)

    assert len(opened) == 2  # the plain way in low precision, and the learner's program at the first length
