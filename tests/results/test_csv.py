"""The file of a cohort's results: what a spreadsheet opens, and what it must not be made to do."""

import csv
import io

import pytest
from django.urls import reverse

from courseware.accounts.models import Cohort, User
from quizzes import sittings
from quizzes.feedback import EVERYTHING
from quizzes.review import review_of
from tests.access.cast import read_and_pick, withdraw
from tests.factories import (
    make_assignment,
    make_cohort,
    make_enrolment,
    make_finished,
    make_instructor,
    make_learner,
    make_sitting,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort()


@pytest.fixture
def file_of(signed_in):
    def file(cohort: Cohort):
        return signed_in(make_instructor(cohort)).get(reverse("cohort_csv", args=[cohort.pk]))

    return file


def _rows(response) -> list[dict[str, str]]:
    text = b"".join(response).decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize(
    "name",
    [
        '=HYPERLINK("https://evil.example","marks")',
        "+1+1",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1+1",
        "＋1",
        "－1",
        "＠A1",
    ],
)
def test_no_name_becomes_a_formula(cohort, file_of, name):
    """The forms for names refuse some of these; a roster or an older row may still hold them."""
    learner = make_enrolment(cohort=cohort, section=name).user
    User.objects.filter(pk=learner.pk).update(name=name)

    (row,) = _rows(file_of(cohort))

    assert row["Name"] == f"'{name}"
    assert row["Section"] == f"'{name}"


@pytest.mark.parametrize(
    "name", ['Ann "Quote" O’Neill', "Comma, First", "O'Brien", "Two\nLines", "Łukasz Żółć", "田中 太郎", "محمد", "🙂"]
)
def test_every_other_name_comes_back_as_it_is(cohort, file_of, name):
    learner = make_learner(cohort)
    User.objects.filter(pk=learner.pk).update(name=name)
    make_learner(cohort)

    rows = _rows(file_of(cohort))

    assert name in [row["Name"] for row in rows]
    assert all(None not in row and None not in row.values() for row in rows)


def test_titles_of_tests_are_no_formulas_either(cohort, file_of):
    make_learner(cohort)
    make_assignment(cohort, title="=1+1")

    (row,) = _rows(file_of(cohort))

    assert "'=1+1: mark" in row
    assert not [head for head in row if head.startswith(("=", "+", "-", "@"))]


def test_marks_are_those_of_the_review_and_a_missing_one_is_no_zero(cohort, file_of):
    test = make_assignment(cohort, title="Test")
    sat, absent = make_learner(cohort), make_learner(cohort)
    review = review_of(sittings.hand_in(make_sitting(test, user=sat).pk), EVERYTHING)
    make_finished(user=sat, mark=7)

    rows = {row["E-mail address"]: row for row in _rows(file_of(cohort))}

    assert (rows[sat.email]["Test: mark"], rows[sat.email]["Test: out of"]) == (review.mark, review.out_of)
    assert rows[sat.email]["Write scaled dot-product attention: best of 10"] == "7"
    assert rows[absent.email]["Test: mark"] == ""
    assert rows[absent.email]["Write scaled dot-product attention: best of 10"] == ""
    assert rows[absent.email]["Write scaled dot-product attention: submissions"] == "0"


def test_cards_are_told_as_the_page_tells_them(cohort, file_of):
    reader = make_learner(cohort)
    read_and_pick(reader)

    (row,) = _rows(file_of(cohort))

    assert row["Scaled dot-product attention: read"] == "deep dive"
    assert row["Scaled dot-product attention: self-check"] in ("right", "not yet")


def test_withdrawn_learners_are_kept_and_named_as_such(cohort, file_of):
    test = make_assignment(cohort, title="Test")
    left = make_learner(cohort)
    sittings.hand_in(make_sitting(test, user=left).pk)
    withdraw(left, cohort)

    (row,) = _rows(file_of(cohort))

    assert (row["E-mail address"], row["Withdrawn"], row["Test: mark"]) == (left.email, "yes", "0")


def test_an_empty_cohort_is_a_head_without_rows(cohort, file_of):
    assert _rows(file_of(cohort)) == []


@pytest.mark.parametrize(
    ("name", "filename"),
    [
        ("Autumn 2026", "autumn-2026-results.csv"),
        ('a"; filename="evil.html', "a-filenameevilhtml-results.csv"),
        ("a\r\nSet-Cookie: a=b", "a-set-cookie-ab-results.csv"),
        ("../../etc/passwd", "etcpasswd-results.csv"),
        ("講座", "cohort-results.csv"),
    ],
)
def test_the_files_name_holds_nothing_of_a_header(file_of, name, filename):
    response = file_of(make_cohort(name=name))

    assert response["Content-Disposition"] == f'attachment; filename="{filename}"'
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "no-store" in response["Cache-Control"]


def test_the_file_begins_with_a_mark_by_which_spreadsheets_know_its_letters(cohort, file_of):
    assert b"".join(file_of(cohort)).startswith("\ufeffName,".encode())
