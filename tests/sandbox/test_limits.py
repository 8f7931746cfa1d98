"""The limits as values; that they hold is what `tests/attacks` shows."""

import dataclasses

import pytest

from grader.sandbox.limits import Limits


def test_no_limit_can_be_switched_off():
    for field in dataclasses.fields(Limits):
        with pytest.raises(ValueError, match=field.name):
            Limits(**{field.name: 0})


def test_not_a_number_is_no_limit():
    with pytest.raises(ValueError, match="wall_seconds"):
        Limits(wall_seconds=float("nan"))
