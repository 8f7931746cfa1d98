"""Reporting a question that seems wrong, and dealing with the report.

A report is filed by whoever has been shown how the question was judged. It goes to the staff of one cohort: that of
the test, or of practice the one in which the person learns.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from courseware.accounts import audit
from courseware.accounts.models import Cohort, Enrolment, User
from courseware.statements import Given, Statement
from quizzes.commentary import Explained, explained
from quizzes.feedback import policy_of
from quizzes.models import PracticeAnswer, QuestionReport, QuestionSnapshot, Slot
from quizzes.presenting import Stem, stem
from quizzes.questions import Answer, Variant

# A careful reader of a whole paper reports a few of its questions; more in a day is somebody's script.
REPORTS_PER_DAY = 20
DEALT_WITH, OPEN_AGAIN = "deal with report", "open report again"


class ReportRefusal(Enum):
    """Why no report was filed, as a sentence for the learner."""

    ALREADY_OPEN = "You have reported this question already. Whoever teaches you sees it until it is dealt with."
    TOO_MANY = "Very many reports came from you within a day. Wait until tomorrow, or tell whoever teaches you."


@dataclass(frozen=True)
class Subject:
    """A question as one learner met it and was told how it was judged."""

    user: User
    cohort: Cohort
    snapshot: QuestionSnapshot
    variant: Variant
    answer: Answer | None
    slot: Slot | None = None
    practice_answer: PracticeAnswer | None = None

    @property
    def stem(self) -> Stem:
        return stem(self.snapshot.question(), self.variant)

    @property
    def open_report(self) -> QuestionReport | None:
        reports = QuestionReport.objects.filter(user=self.user, dealt_with_at=None)
        return reports.filter(question_id=self.snapshot.question_id).first()


@dataclass(frozen=True)
class ReportedQuestion:
    """A report as staff read it: the question as the learner saw it, and what the learner says."""

    report: QuestionReport
    stem: Stem
    explained: Explained | None  # None in a list


def subject_in_review(user: User, sitting_id: uuid.UUID, position: int) -> Subject | None:
    """Return a question of one of this learner's reviews, None if it is not theirs or the review does not show it."""
    slots = Slot.objects.filter(sitting=sitting_id, sitting__enrolment__user=user, position=position)
    slot = slots.select_related("sitting__assignment__cohort", "snapshot", "response").first()
    if slot is None or not slot.sitting.is_closed:
        return None
    seen = policy_of(slot.sitting).visible(slot.sitting, timezone.now())
    if not (seen.marks or seen.explanations):
        return None
    cohort = slot.sitting.assignment.cohort
    return Subject(user, cohort, slot.snapshot, slot.variant, slot.response.given, slot=slot)


def subject_in_practice(user: User, answer_id: uuid.UUID) -> Subject | None:
    """Return one of this person's practice answers, None if it is not theirs or nobody would read a report of it."""
    answer = PracticeAnswer.objects.filter(user=user, pk=answer_id).select_related("snapshot").first()
    cohort = reading_cohort(user)
    if answer is None or cohort is None:
        return None
    return Subject(user, cohort, answer.snapshot, answer.variant, answer.given, practice_answer=answer)


def reading_cohort(user: User) -> Cohort | None:
    """Return the cohort whose staff read what this person reports from practice: the latest in which they learn."""
    enrolments = Enrolment.objects.active().learners().filter(user=user).select_related("cohort")
    latest = enrolments.order_by("-enrolled_at").first()
    return latest.cohort if latest else None


def file_report(subject: Subject, *, complaint: str, text: str) -> QuestionReport | ReportRefusal:
    """Return the new report, or why there is none."""
    recent = QuestionReport.objects.filter(user=subject.user, at__gt=timezone.now() - timedelta(days=1))
    if recent.count() >= REPORTS_PER_DAY:
        return ReportRefusal.TOO_MANY
    try:
        with transaction.atomic():
            return QuestionReport.objects.create(
                cohort=subject.cohort,
                user=subject.user,
                question_id=subject.snapshot.question_id,
                snapshot=subject.snapshot,
                parameters=dict(subject.variant.parameters),
                option_order=list(subject.variant.option_order),
                answer=None if subject.answer is None else list(subject.answer.parts),
                slot=subject.slot,
                practice_answer=subject.practice_answer,
                complaint=complaint,
                text=text,
            )
    except IntegrityError:  # the table allows one open report of a question by a learner
        return ReportRefusal.ALREADY_OPEN


def set_dealt_with(report: QuestionReport, *, by: User, is_dealt_with: bool) -> bool:
    """Mark a report as dealt with, or open it again; False if it was so already or its learner has another open."""
    mine = QuestionReport.objects.filter(pk=report.pk, dealt_with_at__isnull=is_dealt_with)
    words = {True: "dealt with", False: "open"}
    try:
        with transaction.atomic():
            if not mine.update(dealt_with_at=timezone.now() if is_dealt_with else None):
                return False
            audit.note(
                by,
                DEALT_WITH if is_dealt_with else OPEN_AGAIN,
                f"report {report.pk} of {report.question_id}",
                cohort=report.cohort,
                before=words[not is_dealt_with],
                after=words[is_dealt_with],
            )
    except IntegrityError:
        return False
    return True


def reports_of(cohort: Cohort | Given) -> QuerySet[QuestionReport]:
    """Return every report that a cohort's staff may read, the latest first."""
    return QuestionReport.objects.filter(cohort=cohort).select_related("user", "snapshot", "slot__sitting__assignment")


def open_reports_of(cohort: Cohort) -> tuple[ReportedQuestion, ...]:
    """Return what waits for a cohort's staff, the latest first."""
    return tuple(listed(report) for report in _OPEN.rows(cohort=cohort.pk))


_OPEN: Statement[QuestionReport] = Statement(lambda: reports_of(Given("cohort", int)).filter(dealt_with_at=None))


def listed(report: QuestionReport) -> ReportedQuestion:
    """Return a report as a list shows it."""
    return ReportedQuestion(report, stem(report.snapshot.question(), report.variant), None)


def whole(report: QuestionReport) -> ReportedQuestion:
    """Return a report with every explanation of the question as its learner met it."""
    question = report.snapshot.question()
    return ReportedQuestion(report, stem(question, report.variant), explained(question, report.variant, report.given))
