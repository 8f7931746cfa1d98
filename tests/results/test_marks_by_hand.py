"""Marks changed by hand, with their reason and history; more time and another attempt from the same cell."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import Accommodation, AuditEntry, Role, User
from courseware.results.cohorts import standing_of
from grader.models import SubmissionMarkOverride
from grader.overrides import set_exercise_mark
from quizzes import sittings
from quizzes.models import Extension, Sitting, SittingMarkOverride
from quizzes.overrides import set_mark
from tests.access.cast import EXERCISE
from tests.factories import (
    make_assignment,
    make_enrolment,
    make_finished,
    make_learner,
    make_sitting,
    make_submission,
)


def _text(response) -> str:
    return " ".join(response.content.decode().split())


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


@pytest.mark.django_db
def test_being_late_is_remarked(cohort, browser, handed_in):
    Sitting.objects.filter(pk=handed_in.pk).update(days_late=1, closed_at=timezone.now() - timedelta(days=1))

    assert "handed in late" in _text(browser.get(reverse("cohort", args=[cohort.pk])))
