"""How a cohort stands: the page's numbers are those of the reviews, and nobody else's."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import Cohort
from courseware.accounts.people import enrol
from courseware.results.cohorts import rows_of, standing_of
from courseware.study.models import Depth
from courseware.study.readings import note_reading
from quizzes import self_checks, sittings
from quizzes.catalogue import current_bank
from quizzes.feedback import EVERYTHING
from quizzes.review import review_of
from tests.access.cast import CONCEPT, withdraw
from tests.factories import (
    make_assignment,
    make_cohort,
    make_finished,
    make_instructor,
    make_learner,
    make_sitting,
    make_submission,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort(time_zone="Europe/Vienna")


@pytest.fixture
def page_of(signed_in):
    def page(cohort: Cohort) -> str:
        answer = signed_in(make_instructor(cohort)).get(reverse("cohort", args=[cohort.pk]))
        return " ".join(answer.content.decode().split())

    return page


def _row_of(cohort, user):
    standing = standing_of(cohort)
    return next(row for row in rows_of(standing, standing.people) if row.person.user == user.pk)


def _card(cohort, user):
    written = [each.id for each in standing_of(cohort).concepts]
    return _row_of(cohort, user).cards[written.index(CONCEPT)]


# --- the finding and what needs a look ---


def test_an_empty_cohort_says_so_and_how_to_fill_it(cohort, page_of):
    page = page_of(cohort)

    assert "<h1>Nobody learns here yet</h1>" in page
    assert "Nobody learns in this cohort yet." in page
    assert "<table" not in page


@pytest.mark.parametrize(
    ("learners", "finding"), [(1, "1 learner, and no test yet"), (2, "2 learners, and no test yet")]
)
def test_without_a_test_the_finding_counts_learners(cohort, page_of, learners, finding):
    for _ in range(learners):
        make_learner(cohort)

    assert f"<h1>{finding}</h1>" in page_of(cohort)


def test_the_finding_counts_those_who_handed_in_the_latest_test_and_who_are_still_here(cohort, page_of):
    make_assignment(cohort, title="An earlier test")
    test = make_assignment(cohort, title="The latest test")
    done, left, _ = (make_learner(cohort) for _ in range(3))
    for learner in (done, left):
        sittings.hand_in(make_sitting(test, user=learner).pk)
    make_sitting(test, user=make_learner(cohort))
    withdraw(left, cohort)

    assert "<h1>1 of 3 have handed in: The latest test</h1>" in page_of(cohort)


def test_whoever_handed_in_and_tries_again_has_handed_in_and_keeps_the_mark(cohort, page_of):
    test = make_assignment(cohort, title="Twice", attempts=2)
    learner = make_learner(cohort)
    first = sittings.hand_in(make_sitting(test, user=learner).pk)
    make_sitting(test, user=learner)

    assert _row_of(cohort, learner).marks.sittings[0].sitting == first
    assert "1 of 1 have handed in" in page_of(cohort)


def test_a_sitting_whose_time_is_up_counts_although_its_learner_never_came_back(cohort, page_of):
    test = make_assignment(cohort, title="Ten minutes", minutes=10)
    left_open = make_sitting(test, user=make_learner(cohort))

    with time_machine.travel(timezone.now() + timedelta(minutes=11)):
        page = page_of(cohort)

    left_open.refresh_from_db()
    assert left_open.closed_by == "deadline"
    assert "1 of 1 have handed in: Ten minutes" in page
    assert "0 of 9" in page


def test_sentences_say_only_what_is_the_case(cohort, page_of):
    reader = make_learner(cohort)
    note_reading(reader, "transformers", CONCEPT, Depth.FIVE)

    assert standing_of(cohort).needs_a_look == ()

    make_learner(cohort)
    wrong = next(option for option in current_bank().self_checks[CONCEPT].task.options if not option.is_right)
    self_checks.pick(reader, CONCEPT, wrong.id)
    make_finished(user=reader, verdict="wrong")
    sentences = (
        "1 opened no card so far.",
        "1 picked a wrong option in a self-check.",
        "1 submitted code that does not pass yet.",
    )
    assert standing_of(cohort).needs_a_look == sentences
    assert " ".join(sentences) in page_of(cohort)


def test_somebody_whose_next_try_is_being_graded_or_whose_fault_it_was_not_needs_no_look(cohort):
    trying, unlucky = make_learner(cohort), make_learner(cohort)
    for learner in (trying, unlucky):
        note_reading(learner, "transformers", CONCEPT, Depth.FIVE)
    make_finished(user=trying, verdict="wrong")
    make_submission(user=trying)
    make_submission(user=unlucky, state="finished", verdict="operator", fault_of="operator", finished_at=timezone.now())

    assert standing_of(cohort).needs_a_look == ()


# --- cells ---


def test_a_card_cell_shows_the_deepest_page_and_the_first_pick(cohort, page_of):
    learner = make_learner(cohort)
    note_reading(learner, "transformers", CONCEPT, Depth.DEEP)
    note_reading(learner, "transformers", CONCEPT, Depth.FIVE)
    right = next(option for option in current_bank().self_checks[CONCEPT].task.options if option.is_right)
    self_checks.pick(learner, CONCEPT, right.id)

    cell = _card(cohort, learner)

    assert (cell.words, cell.self_check) == ("deep dive", True)
    assert 'deep dive <span class="right">' in page_of(cohort)


def test_the_mark_is_that_of_the_review(cohort, page_of):
    test = make_assignment(cohort)
    learner = make_learner(cohort)
    sitting = make_sitting(test, user=learner)
    for slot in sitting.slots.all():
        question = slot.snapshot.question()
        if question.kind == "single":
            key = next(option for option in question.task.options if option.is_right)
            sittings.record_answer(sitting.pk, slot.position, sittings.Answer((key.id,)), 0)
    closed = sittings.hand_in(sitting.pk)
    review = review_of(closed, EVERYTHING)

    assert review.mark != "0"
    assert f"{review.mark} of {review.out_of}</a>" in page_of(cohort)


def test_the_best_submission_counts_and_runs_do_not(cohort, page_of):
    learner = make_learner(cohort)
    make_finished(user=learner, mark=7)
    make_finished(user=learner, mark=3)
    make_finished(user=learner, kind="run", mark=None, verdict="right")

    page = page_of(cohort)

    assert '7</a><span class="small faint"> in 2</span>' in page


def test_withdrawn_learners_stand_at_the_end_with_their_work(cohort, page_of):
    test = make_assignment(cohort)
    first = make_learner(cohort)
    first.name = "Aaa"
    first.save()
    sittings.hand_in(make_sitting(test, user=first).pk)
    make_learner(cohort)
    withdraw(first, cohort)

    page = page_of(cohort)

    assert [each.user == first.pk for each in standing_of(cohort).people] == [False, True]
    assert 'Aaa</a> <span class="faint">withdrawn</span>' in page
    assert "0 of 9</a>" in page


# --- whose ---


def test_sittings_and_learners_of_another_cohort_are_nowhere_on_the_page(cohort, page_of):
    """Somebody in both learns the same cards, but sits each cohort's test for itself."""
    both = make_learner(cohort)
    other = make_cohort()
    enrol(both, other, "learner")
    theirs = make_assignment(other, title="The other cohort’s test")
    sittings.hand_in(make_sitting(theirs, user=both).pk)
    stranger = make_learner(other)
    test = make_assignment(cohort, title="This cohort’s test")

    page = page_of(cohort)

    assert _row_of(cohort, both).marks.sittings[0].sitting is None
    assert standing_of(cohort).assignments == (test,)
    for text in ("The other cohort’s test", stranger.name, stranger.email):
        assert text not in page


def test_staff_are_no_learners(cohort):
    make_instructor(cohort)

    assert standing_of(cohort).people == ()


def test_the_list_counts_learners_who_are_still_here(cohort, signed_in):
    make_learner(cohort)
    withdraw(make_learner(cohort), cohort)
    make_instructor(cohort)

    page = signed_in(make_instructor(cohort)).get(reverse("cohorts")).content.decode()

    assert "1 learner, times in Europe/Vienna" in page
