"""What tests of quizzes start from."""

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
