"""The gradebook: whom it lists, in which order, what the module's grade is made of, and marks changed by hand."""

import io
from datetime import timedelta
from decimal import Decimal

import openpyxl
import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import Accommodation, AuditEntry, Cohort, Role, User
from courseware.concepts.grading import GradeFormula
from courseware.results.cohorts import standing_of
from courseware.results.listing import Wanted, listing
from courseware.results.module_grade import Part, module_grade
from grader.models import SubmissionMarkOverride
from grader.overrides import set_exercise_mark
from quizzes import sittings
from quizzes.models import Extension, Sitting, SittingMarkOverride
from quizzes.overrides import set_mark
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


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort(time_zone="Europe/Vienna")


@pytest.fixture
def teacher(cohort) -> User:
    return make_instructor(cohort)


@pytest.fixture
def browser(signed_in, teacher):
    return signed_in(teacher)


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


# --- by hand ---


@pytest.fixture
def handed_in(cohort) -> Sitting:
    return sittings.hand_in(make_sitting(make_assignment(cohort, title="Test"), user=make_learner(cohort)).pk)


@pytest.mark.django_db
def test_a_mark_by_hand_counts_everywhere_and_keeps_its_reason_and_history(cohort, browser, handed_in, signed_in):
    learner = handed_in.enrolment.user
    path = reverse("cohort_mark", args=[cohort.pk, learner.uuid, handed_in.assignment_id])

    for mark, reason in (("4,5", "Seen in person."), ("5", "Once more.")):
        answer = browser.post(path, {"sitting": str(handed_in.pk), "mark": mark, "reason": reason})
        assert answer.status_code == 302

    handed_in.refresh_from_db()
    assert handed_in.mark == 5
    assert [(each.before, each.after) for each in SittingMarkOverride.objects.all()] == [
        (Decimal("4.5"), Decimal(5)), (Decimal(0), Decimal("4.5")),
    ]  # fmt: skip
    assert AuditEntry.objects.filter(verb="change mark", cohort=cohort).count() == 2
    assert "from 0 to 4.5. “Seen in person.”" in _text(browser.get(path))
    assert '5 of 9<span title="changed by hand">†' in _text(browser.get(reverse("cohort", args=[cohort.pk])))
    review = _text(signed_in(learner).get(reverse("review", args=[handed_in.pk])))
    assert "<h1>5 of 9</h1>" in review
    assert "The mark was changed by hand, from 4.5: “Once more.”" in review


@pytest.mark.django_db
def test_what_is_kept_of_a_row_follows_the_mark_the_name_and_who_reads(cohort, browser, handed_in, signed_in, teacher):
    learner = handed_in.enrolment.user
    assistant = signed_in(make_enrolment(cohort=cohort, role=Role.ASSISTANT).user)
    path = reverse("cohort", args=[cohort.pk])

    def rows() -> tuple[str, str]:
        return tuple(_text(each.get(path)).partition("<tbody>")[2] for each in (browser, assistant))

    mark_at = reverse("cohort_mark", args=[cohort.pk, learner.uuid, handed_in.assignment_id])
    sitting_at = reverse("cohort_sitting", args=[cohort.pk, handed_in.pk])
    for mark in range(3):
        for row, address in zip(rows(), (mark_at, sitting_at), strict=True):
            assert f'<a href="{address}">{mark} of 9' in row
        assert mark_at not in rows()[1]
        set_mark(handed_in.pk, Decimal(mark + 1), reason="Why", by=teacher)
    User.objects.filter(pk=learner.pk).update(name="<Another>")
    Accommodation.objects.create(enrolment=handed_in.enrolment, extra_minutes=5)
    for row, remark in zip(rows(), (True, False), strict=True):
        assert "&lt;Another&gt;</a>" in row and learner.name not in row
        assert ("more time" in row) is remark


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("mark", "reason", "fault"),
    [
        ("10", "Why", "Write a mark from 0 to 9."),
        ("-1", "Why", "Write a mark from 0 to 9."),
        ("x", "Why", "Write a number"),
        ("NaN", "Why", "Write a number"),
        ("5", " ", "Say why"),
    ],
)
def test_a_mark_out_of_bounds_or_without_a_reason_is_refused(cohort, browser, handed_in, mark, reason, fault):
    path = reverse("cohort_mark", args=[cohort.pk, handed_in.enrolment.user.uuid, handed_in.assignment_id])

    answer = browser.post(path, {"sitting": str(handed_in.pk), "mark": mark, "reason": reason})

    assert answer.status_code == 422
    assert fault in _text(answer)
    assert not SittingMarkOverride.objects.exists()


@pytest.mark.django_db
def test_only_what_has_ended_can_be_marked_by_hand_and_twice_is_once(teacher, handed_in):
    opened = make_sitting(handed_in.assignment)

    with pytest.raises(ValidationError):
        set_mark(opened.pk, Decimal(1), reason="Why", by=teacher)
    assert set_mark(handed_in.pk, Decimal(1), reason="Why", by=teacher)
    assert not set_mark(handed_in.pk, Decimal("1.0"), reason="Why", by=teacher)


@pytest.mark.django_db
def test_an_extension_and_another_attempt_are_given_from_the_cell(cohort, browser, handed_in):
    path = reverse("cohort_mark", args=[cohort.pk, handed_in.enrolment.user.uuid, handed_in.assignment_id])

    answer = browser.post(
        path, {"assignment": handed_in.assignment_id, "already_given": "0", "minutes": "15", "attempts": "1"}
    )

    assert answer.status_code == 302
    given = Extension.objects.get()
    assert (given.minutes, given.attempts, given.enrolment) == (15, 1, handed_in.enrolment)


@pytest.mark.django_db
@pytest.mark.parametrize(("mark", "left"), [("9", [3, 9, 5]), ("4", [3, 4, 4]), ("0", [0, 0, 0])])
def test_an_exercises_mark_by_hand_is_that_of_the_best(cohort, teacher, mark, left):
    learner = make_learner(cohort)
    done = [make_finished(user=learner, mark=each) for each in (3, 7, 5)]

    assert set_exercise_mark(learner, EXERCISE, Decimal(mark), reason="Why", by=teacher, cohort=cohort)

    for submission in done:
        submission.refresh_from_db()
    assert [submission.mark for submission in done] == left
    (marks,) = standing_of(cohort).marks.values()
    best = [each.best_mark for each in marks.exercises if each.best_mark is not None]
    assert best == [Decimal(mark)]
    assert SubmissionMarkOverride.objects.count() == sum(
        before != after for before, after in zip((3, 7, 5), left, strict=True)
    )


@pytest.mark.django_db
def test_the_learner_reads_why_an_exercises_mark_was_changed(cohort, browser, signed_in):
    learner = make_learner(cohort)
    submission = make_finished(user=learner, mark=4, evidence={"marks_fraction": "0.4000", "sentence": "Wrong."})
    path = reverse("cohort_exercise_mark", args=[cohort.pk, learner.uuid, EXERCISE])

    assert browser.post(path, {"mark": "6", "reason": "Right method."}).status_code == 302

    page = _text(signed_in(learner).get(reverse("submission", args=[submission.pk])))
    assert "Its mark was changed by hand, from 4: “Right method.”" in page
    assert "from 4 to 6" in _text(browser.get(path))


@pytest.mark.django_db
def test_without_a_graded_submission_there_is_nothing_to_change(cohort, browser):
    learner = make_learner(cohort)
    make_submission(user=learner, state="finished", verdict="operator", fault_of="operator", finished_at=timezone.now())
    path = reverse("cohort_exercise_mark", args=[cohort.pk, learner.uuid, EXERCISE])

    assert "there is no mark to change" in _text(browser.post(path, {"mark": "6", "reason": "Right method."}))


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


@pytest.mark.django_db
def test_being_late_is_remarked(cohort, browser, handed_in):
    Sitting.objects.filter(pk=handed_in.pk).update(days_late=1, closed_at=timezone.now() - timedelta(days=1))

    assert "handed in late" in _text(browser.get(reverse("cohort", args=[cohort.pk])))
