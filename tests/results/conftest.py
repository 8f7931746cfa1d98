"""A cohort, who teaches it, and their browser."""

import pytest

from courseware.accounts.models import Cohort, User
from tests.factories import make_cohort, make_instructor


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort(time_zone="Europe/Vienna")


@pytest.fixture
def teacher(cohort) -> User:
    return make_instructor(cohort)


@pytest.fixture
def browser(signed_in, teacher):
    return signed_in(teacher)
