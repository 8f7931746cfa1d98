"""Tests that need the sandbox are skipped, with the reason, where this machine cannot make one."""

import pytest

from tests.sandbox.guests import why_no_sandbox


@pytest.fixture(autouse=True)
def _sandbox(request: pytest.FixtureRequest) -> None:
    if request.node.get_closest_marker("sandbox"):
        reason = why_no_sandbox()
        if reason:
            pytest.skip(reason)
