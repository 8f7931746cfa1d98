"""The arena that attacks are run in, one for all of them on a rung."""

import functools
from collections.abc import Iterator

import pytest

from grader.sandbox.rungs import LADDER
from tests.attacks.arena import Arena, begin_nursery
from tests.sandbox.guests import need_sandbox


@pytest.fixture(scope="session", params=LADDER, ids=lambda rung: rung.value)
def arena(request: pytest.FixtureRequest) -> Iterator[Arena]:
    need_sandbox()
    opened = Arena(functools.partial(begin_nursery, rung=request.param))
    yield opened
    opened.close()
