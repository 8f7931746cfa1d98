"""An LMS's own export comes back with our column filled, in its own encoding, and with nothing else changed."""

import base64
import csv
import io
import re
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from courseware.accounts.models import User
from courseware.results.lms.filling import Earned, Ours, System, filled, matched, points_of, suggested, system_of
from courseware.results.sheets import Unreadable, read_sheet
from tests.access.cast import EXERCISE
from tests.factories import make_cohort, make_finished, make_instructor, make_learner

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Week 3 test (123456),Other (7),Final Score
    Points Possible,,,,,20,10,(read only)
"Doe, Jane",1001,S1001,jdoe,BIO-1,17.5,3,50
"O'Brien, Ann",1002,S1002,ann@example.org,BIO-1,,4,
"Nguyễn, Thị",1003,S1003,,BIO-1,EX,5,
"Nobody, Here",1004,S1004,nhere,BIO-1,1,6,
"Student, Test",,,,,,
"""
MOODLE = """\
First name,Last name,ID number,Email address,Week 3 test,Last downloaded from this course
Jane,Doe,00123,JDOE@example.org,-,1700000000
Ann,O’Brien,00124,ann@example.org,,1700000000
Nobody,Here,00125,nobody@example.org,3,1700000000
"""
BLACKBOARD = (
    '"Last Name"\t"First Name"\t"Username"\t"Quiz 1 [Total Pts: 10 Score] |1281892"\t"Quiz 2 [Total Pts: 5] |9"\n'
    '"Doe"\t"Jane"\t"jdoe"\t""\t"2"\n"李"\t"雷"\t"lilei"\t""\t"3"\n'
)
OURS = Ours(
    "Week 3 test",
    Decimal(9),
    (
        Earned("Jane Doe", "jdoe@example.org", Decimal("4.5")),
        Earned("Ann O’Brien", "ann@example.org", Decimal(6)),
        Earned("Thị Nguyễn", "thi@example.org", None),
        Earned("雷 李", "lilei@example.org", Decimal(9)),
    ),
)


def _filled(content: bytes, ours: Ours = OURS, *, column: int | None = -1):
    match = matched(read_sheet(content), ours)
    at = suggested(match, ours) if column == -1 else column
    return match, filled(match, ours, at)


def _rows(content: bytes, encoding: str = "utf-8", separator: str = ",") -> list[list[str]]:
    """Read with the standard reader, which knows nothing of ours."""
    return list(csv.reader(io.StringIO(content.decode(encoding), newline=""), delimiter=separator))


def test_canvas_comes_back_with_one_column_scaled_to_its_points_and_all_else_as_it_was():
    match, out = _filled(CANVAS.encode())
    before, after = _rows(CANVAS.encode()), _rows(out)

    assert match.system is System.CANVAS
    assert [row.name for row in match.found] == ["Doe, Jane", "O'Brien, Ann", "Nguyễn, Thị"]
    assert [(row.line, row.problem) for row in match.problems] == [
        (6, "nobody in this cohort"),
        (7, "nobody in this cohort"),
    ]
    assert [row[5] for row in after[1:]] == ["20", "10", "13.33", "EX", "1", ""]
    for old, new in zip(before, after, strict=True):
        assert [*old[:5], *old[6:]] == [*new[:5], *new[6:]][: len(old) - 1]


def test_a_new_column_of_canvas_names_its_points():
    _, out = _filled(CANVAS.encode(), column=None)

    after = _rows(out)
    assert [row[8] for row in after[:4]] == ["Week 3 test", "9", "4.5", "6"]


def test_moodle_gets_only_whom_it_will_find_with_numbers():
    match, out = _filled(("\ufeff" + MOODLE).encode())

    assert out.startswith("\ufeff".encode())
    after = _rows(out, "utf-8-sig")
    assert match.system is System.MOODLE
    assert [row[:5] for row in after[1:]] == [
        ["Jane", "Doe", "00123", "JDOE@example.org", "4.5"],
        ["Ann", "O’Brien", "00124", "ann@example.org", "6"],
    ]


def test_blackboard_keeps_utf_16_and_tabs():
    ours = Ours("Quiz 1", Decimal(9), OURS.learners)
    match, out = _filled(BLACKBOARD.encode("utf-16"), ours)

    assert match.system is System.BLACKBOARD
    assert points_of(match, suggested(match, ours)) == 10
    assert [row[2:] for row in _rows(out, "utf-16", "\t")[1:]] == [["jdoe", "5", "2"], ["lilei", "10", "3"]]


def test_a_name_that_two_have_or_that_stands_twice_finds_nobody():
    twins = Ours("T", Decimal(1), (Earned("Ann Lee", "a@x.org", Decimal(1)), Earned("ann  lee", "b@x.org", Decimal(1))))
    names = 'Student,ID,Section,T (1)\n"Lee, Ann",1,A,\n'
    match, _ = _filled(names.encode(), twins)
    assert match.problems[0].problem == "several learners have this name"

    doubled = MOODLE + "Jane,Doe,9,jdoe@example.org,,\n"
    match, _ = _filled(doubled.encode())
    assert sum("twice" in row.problem for row in match.problems) == 2
    assert [each.email for each in match.missing] == ["jdoe@example.org", "lilei@example.org"]


def test_a_title_is_no_formula_in_the_head():
    _, out = _filled(MOODLE.encode(), Ours("=1+1", Decimal(9), OURS.learners), column=None)

    assert _rows(out)[0][-1] == "1+1 (max 9)"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"a,b\n1,2\n", "does not look like"),
        (b"PK\x03\x04", "Save it as CSV"),
        (b"Email address\n", "no row"),
        (b"Email\x00address,a\n1,2\n", "not a text file"),
        (b"\xef\xbb\xbf\xff\xfe,b\n1,2", "says that it is"),
        (b"Email address,\x81\n1,2\n", "neither UTF-8 nor"),
        (b"Email address\n" + b"a" * 1_000_001, "larger than"),
    ],
)
def test_what_cannot_be_told_is_refused_with_what_to_do(content, words):
    with pytest.raises(Unreadable, match=words):
        system_of(read_sheet(content))


def test_windows_1252_is_said_to_be_a_guess_and_goes_back_as_it_came():
    match, out = _filled(MOODLE.replace("’", "'").replace("Jane", "Zoë").encode("cp1252"))

    assert "Windows-1252" in match.sheet.note
    assert _rows(out, "cp1252")[1][0] == "Zoë"


@pytest.mark.django_db
def test_the_page_says_who_was_found_and_then_gives_the_file(signed_in):
    cohort = make_cohort()
    browser, learner = signed_in(make_instructor(cohort)), make_learner(cohort)
    User.objects.filter(pk=learner.pk).update(email="jdoe@example.org")
    make_finished(user=learner, mark=7)
    path = reverse("cohort_lms", args=[cohort.pk])

    page = browser.post(path, {"ours": EXERCISE, "file": SimpleUploadedFile("grades.csv", MOODLE.encode())})
    text = " ".join(page.content.decode().split())
    carried = base64.b64encode(MOODLE.encode()).decode()
    file = browser.post(
        path, {"ours": EXERCISE, "content": carried, "name": "a/grades.csv", "column": "4", "download": ""}
    )

    assert "1 of 3 people found" in text
    assert "Line 3, Ann O’Brien: nobody in this cohort." in text
    assert f'value="{carried}"' in text
    assert file["Content-Disposition"] == 'attachment; filename="grades-filled.csv"'
    assert [row[4] for row in _rows(b"".join(file))] == ["Week 3 test", "7"]
    for refused in ({}, {"content": "%%"}, {"file": SimpleUploadedFile("x.csv", b"a,b\n1,2\n")}):
        assert browser.post(path, {"ours": EXERCISE} | refused).status_code == 422


@pytest.mark.django_db
def test_a_file_without_our_column_is_offered_a_new_one_and_not_somebody_elses(signed_in):
    cohort = make_cohort()
    browser = signed_in(make_instructor(cohort))
    file = SimpleUploadedFile("grades.csv", MOODLE.encode())

    page = browser.post(reverse("cohort_lms", args=[cohort.pk]), {"ours": EXERCISE, "file": file})

    assert re.findall(r'<option value="(\w+)" selected', page.content.decode()) == ["new"]
