"""What tests of quizzes start from."""

import os

import hypothesis
import pytest

from quizzes.models import Sitting
from tests.factories import make_assignment, make_sitting

# Without its clock: a loaded machine is no fault of the code under test.
hypothesis.settings.register_profile("courseware", deadline=None)
hypothesis.settings.load_profile("courseware")


@pytest.fixture
def sitting() -> Sitting:
    return make_sitting(make_assignment(title="Module test"))


@pytest.fixture
def browser(sitting, signed_in):
    return signed_in(sitting.enrolment.user)


# SQLite lets one writer in at a time; tests/operations/test_on_postgresql.py runs these where the races exist.
if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
    collect_ignore = ["test_races.py"]
