"""The arena that attacks are run in, one for all of them on a rung."""

from collections.abc import Iterator

import pytest

from tests.attacks.arena import Arena, begin_nursery
from tests.sandbox.guests import need_sandbox

# By the name of a rung: what begins the nursery whose guests are attacked there.
RUNGS = {"bubblewrap": begin_nursery}


@pytest.fixture(scope="session", params=RUNGS)
def arena(request: pytest.FixtureRequest) -> Iterator[Arena]:
    need_sandbox()
    opened = Arena(RUNGS[request.param])
    yield opened
    opened.close()
