"""One learner's page, as the staff of the cohort sees it."""

import pytest
from django.urls import reverse

from tests.factories import make_cohort, make_finished, make_instructor, make_learner, make_submission

pytestmark = pytest.mark.django_db


def test_submissions_end_in_the_words_that_the_learner_reads(signed_in):
    cohort = make_cohort()
    learner = make_learner(cohort)
    make_finished(user=learner, verdict="output", mark=0)
    make_submission(user=learner, state="cancelled")

    page = signed_in(make_instructor(cohort)).get(reverse("cohort_learner", args=[cohort.pk, learner.uuid]))

    assert "Too much output, 0 of 10" in page.content.decode()
    assert "Taken back" in page.content.decode()
