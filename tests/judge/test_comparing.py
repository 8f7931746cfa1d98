"""Comparing: just inside and just outside the tolerance, and everything that is not a plain finite number."""

import numpy as np
import pytest

from grader.exercises import Tolerance
from grader.judge.comparing import compare, is_real, not_finite

TOLERANCE = Tolerance(relative=1e-9, absolute=1e-10, single_precision=1e-5, reason="as in the exercise")
EXPECTED = np.array([[1.0, -2.0, 1000.0], [0.0, 0.5, 3.0]])


@pytest.mark.parametrize("scale", [-1.0, 1.0])
def test_error_just_inside_the_tolerance_holds_in_full_precision(scale: float) -> None:
    got = EXPECTED + scale * 0.99 * (1e-10 + 1e-9 * np.abs(EXPECTED))

    comparison = compare(got, EXPECTED, TOLERANCE)

    assert comparison.holds and not comparison.is_single_precision


@pytest.mark.parametrize("scale", [-1.0, 1.0])
def test_error_just_outside_the_tolerance_holds_in_single_precision(scale: float) -> None:
    got = EXPECTED.copy()
    got[1, 0] = scale * 1.01e-10

    comparison = compare(got, EXPECTED, TOLERANCE)

    assert comparison.holds and comparison.is_single_precision and comparison.differing == 1


def test_error_of_float32_holds_in_single_precision() -> None:
    comparison = compare((EXPECTED / 3).astype(np.float32), EXPECTED / 3, TOLERANCE)

    assert comparison.holds and comparison.is_single_precision


@pytest.mark.parametrize(("place", "inside", "outside"), [((1, 0), 0.99e-5, 1.01e-5), ((0, 2), 0.99e-2, 1.01e-2)])
def test_single_precision_has_a_limit_too(place: tuple[int, int], inside: float, outside: float) -> None:
    near, far = EXPECTED.copy(), EXPECTED.copy()
    near[place] += inside
    far[place] += outside

    assert compare(near, EXPECTED, TOLERANCE).holds
    comparison = compare(far, EXPECTED, TOLERANCE)

    assert not comparison.holds
    assert comparison.largest_difference == pytest.approx(outside, rel=1e-6)


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
def test_number_that_is_not_finite_never_holds(number: float) -> None:
    got = EXPECTED.copy()
    got[0, 1] = number

    comparison = compare(got, EXPECTED, TOLERANCE)

    assert not comparison.holds and comparison.largest_difference is None


def test_nan_and_infinity_are_named() -> None:
    assert not_finite(np.array([1.0, np.nan, np.nan, np.inf])) == "NaN in 2 of 4 numbers and infinity in 1 of 4 numbers"
    assert not_finite(EXPECTED) == ""


@pytest.mark.parametrize("shape", [(3, 2), (6,), (1, 2, 3), (1, 3), ()])
def test_wrong_shape_is_never_broadcast(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="shapes differ"):
        compare(np.ones(shape), EXPECTED, TOLERANCE)


def test_empty_arrays_of_one_shape_agree() -> None:
    assert compare(np.zeros((0, 3)), np.zeros((0, 3)), TOLERANCE).holds


def test_reference_that_is_not_finite_is_refused() -> None:
    with pytest.raises(ValueError, match="not finite"):
        compare(np.array([1.0]), np.array([np.nan]), TOLERANCE)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "int64", "uint8", "bool"])
def test_real_dtypes_are_compared_by_value(dtype: str) -> None:
    got = np.array([0, 1], dtype=dtype)

    assert is_real(got)
    assert compare(got, np.array([0.0, 1.0]), TOLERANCE).holds


def test_complex_numbers_are_not_real() -> None:
    assert not is_real(np.array([1 + 0j]))
