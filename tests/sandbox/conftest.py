"""What tests of guests ask for."""

import pytest

from tests.sandbox.guests import need_sandbox


@pytest.fixture
def sandbox() -> None:
    """Skip a test, by what is missing, on a machine that cannot shut guests in."""
    need_sandbox()
