"""The gradebook: whom it lists, in which order, what the module's grade is made of, and its workbook."""

import io
from decimal import Decimal

import openpyxl
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseware.accounts.models import User
from courseware.concepts.grading import GradeFormula
from courseware.results.cohorts import standing_of
from courseware.results.listing import Wanted, listing
from courseware.results.module_grade import Part, module_grade
from quizzes import sittings
from quizzes.models import Sitting
from tests.access.cast import EXERCISE, withdraw
from tests.factories import (
    make_assignment,
    make_cohort,
    make_enrolment,
    make_finished,
    make_instructor,
    make_learner,
    make_sitting,
    make_submission,
)
from tests.results.crowds import hand_in_all, make_crowd

SIXTY = GradeFormula(tests=60, exercises=40)


def _part(mark, out_of=10, *, is_pending=False) -> Part:
    return Part(None if mark is None else Decimal(mark), Decimal(out_of), is_pending)


# --- the formula ---


@pytest.mark.parametrize(
    ("tests", "exercises", "shown"),
    [
        ([_part(5)], [_part(10), _part(None)], "50.0"),  # 0.6 × 50 + 0.4 × 50
        ([_part(9), _part(None, 1)], [_part(10)], "67.0"),  # a test that was not begun counts 0
        ([], [_part(1, 3)], "33.3"),  # without a test, exercises count whole
        ([_part(2, 3)], [], "66.7"),
        ([_part(10)] * 7, [_part(10)] * 3, "100.0"),
    ],
)
def test_the_grade_follows_the_formula(tests, exercises, shown):
    assert module_grade(SIXTY, tests, exercises).shown == shown


def test_without_any_mark_there_is_no_grade_and_what_is_open_makes_it_provisional():
    assert module_grade(SIXTY, [_part(None)], [_part(None)]) is None
    assert module_grade(SIXTY, [_part(5)], [_part(5, is_pending=True)]).is_provisional
    assert not module_grade(SIXTY, [_part(5)], [_part(None)]).is_provisional


def test_seven_sevenths_are_a_whole():
    assert module_grade(GradeFormula(100, 0), [_part("1.0000", 7)] * 7, []).percent == Decimal("14.2857")
    assert module_grade(GradeFormula(100, 0), [_part(7, 7)], []).percent == 100


# --- the list ---


def _text(response) -> str:
    return " ".join(response.content.decode().split())


def _names(cohort, **query) -> list[str]:
    return [each.name for each in listing(standing_of(cohort), Wanted.from_query(query)).people]


@pytest.mark.django_db
def test_fifty_a_page_and_all_on_request(cohort, browser):
    make_crowd(cohort, 120)

    assert [len(_names(cohort, page=page)) for page in ("1", "2", "3", "99", "x", "all")] == [50, 50, 20, 20, 50, 120]
    assert _names(cohort, page="2")[0] == "Learner 0050"
    page = _text(browser.get(reverse("cohort", args=[cohort.pk])))
    assert "50 of 120 shown." in page
    assert 'href="?page=2">Next' in page
    assert 'href="?page=all">All on one page' in page


@pytest.mark.django_db
def test_any_column_sorts_both_ways_and_who_has_no_mark_comes_last(cohort):
    test = make_assignment(cohort)
    good, poor, absent = (make_enrolment(cohort=cohort).user for _ in range(3))
    for user, mark in ((good, 9), (poor, 2)):
        sitting = sittings.hand_in(make_sitting(test, user=user).pk)
        Sitting.objects.filter(pk=sitting.pk).update(mark=mark)
        make_finished(user=user, mark=10 - mark)

    by_test = f"test-{test.pk}"
    assert _names(cohort, sort=by_test) == [poor.name, good.name, absent.name]
    assert _names(cohort, sort=f"-{by_test}") == [good.name, poor.name, absent.name]
    assert _names(cohort, sort=f"-{EXERCISE}") == [poor.name, good.name, absent.name]
    assert _names(cohort, sort="-grade") == [good.name, poor.name, absent.name]
    assert _names(cohort, sort="nothing") == _names(cohort)


@pytest.mark.django_db
def test_filters_keep_what_they_say(cohort, browser):
    stuck, fine = make_enrolment(cohort=cohort, section="B").user, make_enrolment(cohort=cohort).user
    make_enrolment(cohort=cohort)
    left = make_learner(cohort)
    withdraw(left, cohort)
    for _ in range(3):
        make_finished(user=stuck)
    make_finished(user=fine)

    assert _names(cohort, find=stuck.email.upper()) == [stuck.name]
    assert _names(cohort, show="section B") == [stuck.name]
    assert _names(cohort, show="withdrawn") == [left.name]
    assert set(_names(cohort, show="look")) >= {stuck.name} and fine.name not in _names(cohort, show="look")
    page = _text(browser.get(reverse("cohort", args=[cohort.pk]), {"show": "look"}))
    assert "stuck in 1 exercise" in page
    assert "nothing begun" in page
    assert "Nobody fits." in _text(browser.get(reverse("cohort", args=[cohort.pk]), {"find": "<nobody>"}))


@pytest.mark.django_db
def test_what_is_still_being_graded_is_shown_as_provisional(cohort, browser):
    learner = make_learner(cohort)
    make_finished(user=learner, mark=5)
    make_submission(user=learner)

    page = _text(browser.get(reverse("cohort", args=[cohort.pk])))

    assert "provisional" in page
    assert "being graded" in page
    assert "The module grade is 60 % tests and 40 % exercises" in page


@pytest.mark.django_db
def test_a_test_for_practice_counts_nothing(cohort):
    learner = make_learner(cohort)
    practice, real = make_assignment(cohort, counts="none"), make_assignment(cohort)
    for test, mark in ((practice, 9), (real, 0)):
        sitting = sittings.hand_in(make_sitting(test, user=learner).pk)
        Sitting.objects.filter(pk=sitting.pk).update(mark=mark)

    (marks,) = standing_of(cohort).marks.values()

    assert marks.grade.percent == 0


@pytest.mark.django_db
def test_more_learners_take_no_more_queries(signed_in):
    asked = []
    for count in (5, 80):
        cohort = make_cohort()
        hand_in_all(make_assignment(cohort), make_crowd(cohort, count))
        browser = signed_in(make_instructor(cohort))
        with CaptureQueriesContext(connection) as queries:
            browser.get(reverse("cohort", args=[cohort.pk]))
        asked.append(len(queries))

    assert asked[0] == asked[1]


# --- the workbook ---


@pytest.mark.django_db
def test_the_workbook_read_by_another_reader_has_the_files_values_and_no_formula(cohort, browser):
    hostile = ['=HYPERLINK("http://x","y")', "+1", "-2+3", "@SUM(1)", "\t=1", "00123", "http://x.example", "O’Brien"]
    for name in hostile:
        learner = make_learner(cohort)
        User.objects.filter(pk=learner.pk).update(name=name)
        make_finished(user=learner, mark=Decimal("2.675"))

    response = browser.get(reverse("cohort_xlsx", args=[cohort.pk]))
    sheet = openpyxl.load_workbook(io.BytesIO(b"".join(response))).active
    head, *rows = [list(row) for row in sheet.iter_rows()]
    names = {row[0].value: row for row in rows}

    assert (
        response["Content-Disposition"]
        == f'attachment; filename="{cohort.name.lower().replace(" ", "-")}-results.xlsx"'
    )
    assert set(names) == set(hostile)
    assert {row[0].data_type for row in rows} == {"s"}
    assert not [cell for row in rows for cell in row if cell.hyperlink or cell.data_type == "f"]
    best = next(at for at, cell in enumerate(head) if cell.value.startswith("Write scaled dot-product attention: best"))
    assert {row[best].value for row in rows} == {2.68}
