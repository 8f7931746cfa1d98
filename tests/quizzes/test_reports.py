"""Reporting a question from a review and from practice, and what staff do with a report."""

from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from courseware.accounts.models import AuditEntry
from quizzes import practice, practice_pool, reports, sittings
from quizzes.models import Complaint, QuestionReport
from quizzes.questions import Answer
from quizzes.reports import REPORTS_PER_DAY, ReportRefusal, set_dealt_with
from tests.factories import make_assignment, make_cohort, make_enrolment, make_instructor, make_learner, make_sitting
from tests.quizzes.answering import slot_of, wrong_answer
from tests.quizzes.browsing import address

pytestmark = pytest.mark.django_db

CONCEPT = "scaled-dot-product-attention"
FORM = {"complaint": "key", "text": "The first option is right as well."}


@pytest.fixture
def closed(sitting):
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0)
    return sittings.hand_in(sitting.pk)


def subject(closed, position: int = 1) -> reports.Subject:
    found = reports.subject_in_review(closed.enrolment.user, closed.pk, position)
    assert found is not None
    return found


def report_of(closed, position: int = 1) -> QuestionReport:
    filed = reports.file_report(subject(closed, position), complaint=Complaint.KEY, text="Two are right.")
    assert isinstance(filed, QuestionReport)
    return filed


def practised(user):
    question = next(each for each in practice_pool.of_concept(CONCEPT) if each.kind == "single")
    return practice.keep(user, question, 1, Answer((question.task.options[0].id,)))


# --- filing ---


def test_a_report_from_a_review_holds_the_question_as_its_learner_saw_it(browser, closed):
    slot = slot_of(closed, "single")
    path = address("report_reviewed", closed, slot.position)

    form = browser.get(path).content.decode()
    answer = browser.post(path, FORM, follow=True)

    filed = QuestionReport.objects.get()
    assert "Report this question" in browser.get(address("review", closed)).content.decode()
    assert closed.assignment.cohort.name in form
    assert answer.redirect_chain[0][0] == f"{address('review', closed)}?show=all#q{slot.position}"
    assert f"Reported. The staff of {closed.assignment.cohort.name} see the question" in answer.content.decode()
    assert (filed.cohort, filed.user, filed.slot) == (closed.assignment.cohort, closed.enrolment.user, slot)
    assert (filed.snapshot, filed.variant, filed.given) == (slot.snapshot, slot.variant, wrong_answer(slot))
    assert (filed.complaint, filed.text) == (FORM["complaint"], FORM["text"])


def test_a_report_from_practice_goes_to_the_latest_cohort_in_which_somebody_learns(signed_in):
    user = make_learner()
    latest = make_cohort()
    make_enrolment(user=user, cohort=latest)
    answer = practised(user)
    browser = signed_in(user)

    page = browser.get(reverse("practice_answer", args=[answer.pk])).content.decode()
    browser.post(reverse("report_practised", args=[answer.pk]), FORM)

    filed = QuestionReport.objects.get()
    assert reverse("report_practised", args=[answer.pk]) in page
    assert (filed.cohort, filed.practice_answer, filed.variant) == (latest, answer, answer.variant)


def test_whoever_learns_nowhere_is_offered_no_report_since_nobody_would_read_it(signed_in):
    user = make_instructor()
    answer = practised(user)
    path = reverse("report_practised", args=[answer.pk])

    assert path not in signed_in(user).get(reverse("practice_answer", args=[answer.pk])).content.decode()
    assert signed_in(user).post(path, FORM).status_code == 404


def test_a_learner_has_one_open_report_of_a_question_and_may_report_it_again_once_it_is_dealt_with(browser, closed):
    path = address("report_reviewed", closed, 1)
    filed = report_of(closed)

    page = browser.get(path).content.decode()
    second = browser.post(path, FORM, follow=True).content.decode()
    set_dealt_with(filed, by=make_instructor(filed.cohort), is_dealt_with=True)
    third = reports.file_report(subject(closed), complaint=Complaint.OTHER, text="It is still there.")

    assert ReportRefusal.ALREADY_OPEN.value in page
    assert '<form method="post" class="gap1"' not in page
    assert ReportRefusal.ALREADY_OPEN.value in second
    assert isinstance(third, QuestionReport)
    assert QuestionReport.objects.count() == 2


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"text": ""}, "Say in a sentence what is wrong"),
        ({"text": "   "}, "Say in a sentence what is wrong"),
        ({"text": "x" * 1001}, "A report has at most 1000 characters; this one has 1001."),
        ({"complaint": ""}, "Choose what is wrong."),
        ({"complaint": "rude"}, "Choose one."),
    ],
)
def test_a_form_that_is_not_filled_in_says_what_is_missing_and_keeps_what_was_typed(fields, said, browser, closed):
    page = browser.post(address("report_reviewed", closed, 1), FORM | fields)

    html = page.content.decode()
    assert said in html
    assert (FORM | fields)["text"].strip() in html
    assert not QuestionReport.objects.exists()


def test_the_longest_report_is_taken(browser, closed):
    browser.post(address("report_reviewed", closed, 1), FORM | {"text": "x" * 1000})

    assert len(QuestionReport.objects.get().text) == 1000


def test_very_many_reports_of_a_day_are_refused(closed):
    first = report_of(closed)
    set_dealt_with(first, by=make_instructor(first.cohort), is_dealt_with=True)
    fields = {field.attname: getattr(first, field.attname) for field in QuestionReport._meta.concrete_fields}
    del fields["id"]
    fields["dealt_with_at"] = timezone.now()
    QuestionReport.objects.bulk_create(QuestionReport(**fields) for _ in range(REPORTS_PER_DAY - 1))

    refused = reports.file_report(subject(closed, 2), complaint=Complaint.KEY, text="One more.")
    with time_machine.travel(timezone.now() + timedelta(days=1, minutes=1)):
        later = reports.file_report(subject(closed, 2), complaint=Complaint.KEY, text="One more.")

    assert refused is ReportRefusal.TOO_MANY
    assert isinstance(later, QuestionReport)


def test_a_question_is_reported_only_once_its_review_shows_it(signed_in):
    closes_at = timezone.now() + timedelta(hours=1)
    later = make_sitting(
        make_assignment(closes_at=closes_at, marks_shown="after closing", explanations_shown="after closing")
    )
    browser, path = signed_in(later.enrolment.user), address("report_reviewed", later, 1)

    assert browser.get(path).status_code == 404  # still open
    sittings.hand_in(later.pk)
    assert browser.get(path).status_code == 404  # its review shows no question yet
    with time_machine.travel(closes_at + timedelta(seconds=1)):
        assert signed_in(later.enrolment.user).get(path).status_code == 200


# --- dealing with it ---


def test_staff_find_an_open_report_on_the_page_of_their_cohort(signed_in, closed):
    slot = slot_of(closed, "single")
    filed = report_of(closed, slot.position)
    staff = signed_in(make_instructor(filed.cohort))

    cohort = staff.get(reverse("cohort", args=[filed.cohort.pk])).content.decode()
    page = staff.get(reverse("cohort_report", args=[filed.cohort.pk, filed.pk])).content.decode()

    assert "1 report of questions" in cohort
    assert "Two are right." in cohort
    assert filed.user.name in cohort
    assert reverse("cohort_report", args=[filed.cohort.pk, filed.pk]) in cohort
    assert "Their pick" in page
    assert page.count('class="entry note') == len(slot.option_order)
    assert f"{reverse('cohort_sitting', args=[filed.cohort.pk, closed.pk])}#q{slot.position}" in page


def test_a_report_stands_beside_how_its_question_measured_in_the_test(signed_in, closed):
    slot = slot_of(closed, "single")
    filed = report_of(closed, slot.position)
    staff = signed_in(make_instructor(filed.cohort))

    page = staff.get(reverse("cohort_report", args=[filed.cohort.pk, filed.pk]))

    facility = {each.name: each for each in page.context["shown"].statistics}["Facility"]
    assert (facility.figure, facility.words[:9]) == ("0 %", "1 learner")
    questions = page.content.decode().partition("Who picks what")[0].rpartition('href="')[2].partition('"')[0]
    assert "Who picks what" in staff.get(questions).content.decode()


def test_a_report_from_practice_has_no_figures_of_a_test(signed_in):
    learner = make_learner()
    practised_as = reports.subject_in_practice(learner, practised(learner).pk)
    assert practised_as is not None
    filed = reports.file_report(practised_as, complaint=Complaint.KEY, text="Two are right.")
    assert isinstance(filed, QuestionReport)

    page = signed_in(make_instructor(filed.cohort)).get(reverse("cohort_report", args=[filed.cohort.pk, filed.pk]))

    assert "How it measures" not in page.content.decode()


def test_a_report_is_dealt_with_and_opened_again_and_both_are_written_down(signed_in, closed):
    filed = report_of(closed)
    instructor = make_instructor(filed.cohort)
    staff, path = signed_in(instructor), reverse("cohort_report", args=[filed.cohort.pk, filed.pk])
    cohort_path = reverse("cohort", args=[filed.cohort.pk])

    done = staff.post(path, {"action": "deal"}, follow=True).content.decode()
    twice = staff.post(path, {"action": "deal"}, follow=True).content.decode()
    without = staff.get(cohort_path).content.decode()
    listed = staff.get(reverse("cohort_reports", args=[filed.cohort.pk])).content.decode()
    staff.post(path, {"action": "open"})
    again = staff.get(cohort_path).content.decode()

    assert "Open it again" in done
    assert "Nothing was changed" in twice
    assert "Two are right." not in without
    assert "No report is open" in listed
    assert "Two are right." in listed
    assert "Two are right." in again
    entries = (
        AuditEntry.objects.filter(cohort=filed.cohort).order_by("pk").values_list("who", "verb", "before", "after")
    )
    assert list(entries) == [
        (instructor.pk, "deal with report", "open", "dealt with"),
        (instructor.pk, "open report again", "dealt with", "open"),
    ]


def test_a_report_stays_dealt_with_while_its_learner_has_another_open(closed):
    filed = report_of(closed)
    by = make_instructor(filed.cohort)
    set_dealt_with(filed, by=by, is_dealt_with=True)
    report_of(closed)

    assert set_dealt_with(filed, by=by, is_dealt_with=False) is False
    filed.refresh_from_db()
    assert not filed.is_open


def test_staff_of_another_cohort_see_nothing_of_it(signed_in, closed):
    filed = report_of(closed)
    elsewhere = make_cohort()
    make_enrolment(user=filed.user, cohort=elsewhere)
    staff = signed_in(make_instructor(elsewhere))

    for path in (reverse("cohort", args=[elsewhere.pk]), reverse("cohort_reports", args=[elsewhere.pk])):
        assert "Two are right." not in staff.get(path).content.decode()
    assert staff.get(reverse("cohort_report", args=[elsewhere.pk, filed.pk])).status_code == 404
    assert staff.post(reverse("cohort_report", args=[elsewhere.pk, filed.pk])).status_code == 404


def test_what_a_learner_writes_is_shown_as_text(signed_in, closed):
    filed = report_of(closed)
    QuestionReport.objects.filter(pk=filed.pk).update(text='<script>alert(1)</script>\n\u202eend "')
    staff = signed_in(make_instructor(filed.cohort))

    for name, args in (("cohort", []), ("cohort_reports", []), ("cohort_report", [filed.pk])):
        html = staff.get(reverse(name, args=[filed.cohort.pk, *args])).content.decode()
        assert "&lt;script&gt;alert(1)" in html
        assert "<script>alert" not in html
