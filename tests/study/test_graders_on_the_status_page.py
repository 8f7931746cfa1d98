"""What the status page says of graders: to everybody whether submissions are graded, to staff by whom."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import make_instructor, make_judge, make_learner, make_submission

pytestmark = pytest.mark.django_db

LONG_AGO = timedelta(minutes=5)


@pytest.fixture
def page_of(signed_in):
    def page(user) -> str:
        return " ".join(signed_in(user).get(reverse("status")).content.decode().split())

    return page


@pytest.fixture
def for_learner(page_of):
    return lambda: page_of(make_learner())


@pytest.fixture
def for_staff(page_of):
    return lambda: page_of(make_instructor())


def test_a_judge_that_is_alive_grades(for_learner, for_staff):
    make_judge(name="judge-7", libraries=["numpy", "pytorch"])

    assert "<h1>Submissions are graded</h1>" in for_learner()
    assert "Nothing is waiting." in for_learner()
    assert "<h3>judge-7</h3>" in for_staff()
    assert "<span>Grading.</span>" in for_staff()
    assert "judge-7" not in for_learner()


def test_without_a_judge_nobody_grades_and_what_waits_is_counted(for_learner, for_staff):
    make_submission()

    assert "<h1>No grader is running</h1>" in for_learner()
    assert "Submissions are stored and start when a grader is back." in for_learner()
    assert "1 is waiting." in for_learner()
    assert "No grader has reported yet." in for_staff()


def test_a_judge_that_fell_silent_grades_nothing(for_learner, for_staff):
    make_judge(name="judge-7", seen_at=timezone.now() - LONG_AGO)

    assert "<h1>No grader is running</h1>" in for_learner()
    assert "Not heard of since" in for_staff()
    assert "<span>Grading.</span>" not in for_staff()


def test_a_judge_that_refuses_grades_nothing_and_says_why_to_staff_alone(for_learner, for_staff):
    make_judge(refusal="/root is closed to uid 61234", rung="none")

    assert "<h1>No grader is running</h1>" in for_learner()
    assert "It refuses to grade: /root is closed to uid 61234" in for_staff()
    assert "61234" not in for_learner()


def test_one_judge_of_two_is_enough(for_learner, for_staff):
    make_judge(seen_at=timezone.now() - LONG_AGO)
    make_judge()

    assert "<h1>Submissions are graded</h1>" in for_learner()
    assert for_staff().count("<span>Grading.</span>") == 1


def test_a_library_that_no_judge_has_is_named_where_an_exercise_asks_for_it(for_learner):
    make_judge(libraries=["pytorch"])

    assert "No grader has NumPy yet. Exercises that need it wait; all others are graded." in for_learner()


def test_what_a_judge_says_of_itself_is_shown_as_text(for_staff):
    """A judge is trusted less than the site."""
    make_judge(
        name="<script>alert(1)</script>",
        rung_reason="<img src=x onerror=alert(2)>",
        device="<b>cpu</b>",
        versions={"<i>numpy</i>": "<u>2</u>"},
        refusal="</p><script>alert(3)</script>",
    )

    page = for_staff()

    for raw in ("<script>alert", "<img src=x", "<b>cpu", "<i>numpy", "<u>2"):
        assert raw not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
