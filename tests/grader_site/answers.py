"""Messages as a judge sends them: complete, JSON, and about one delivery."""

from typing import Any

from django.urls import reverse

from grader.dispatching import dispatch
from grader.messages import Delivery, ProgressNote, VerdictNote
from grader.models import Kind, Submission
from grader.submissions import record_verdict
from grader.verdicts import CheckOutcome, CheckReport, Diagnosis, Outcome, Verdict, Wording
from tests.factories import make_judge, make_submission


def delivery_of(submission: Submission) -> Delivery:
    return Delivery(str(submission.pk), submission.delivery, submission.ticket)


def check_report(check: str = "values", *, holds: bool = True, **fields: Any) -> CheckReport:
    outcome = CheckOutcome.HOLDS if holds else CheckOutcome.FAILS
    return CheckReport(check=check, title=fields.pop("title", f"Check {check}"), outcome=outcome, **fields)


def right_verdict(**fields: Any) -> Verdict:
    values: dict[str, Any] = {
        "outcome": Outcome.RIGHT,
        "sentence": "Both checks hold.",
        "checks": (check_report("values"), check_report("unchanged")),
        "marks_fraction": "1.0000",
        "seconds": 0.25,
    }
    return Verdict(**(values | fields))


def wrong_verdict(**fields: Any) -> Verdict:
    values: dict[str, Any] = {
        "outcome": Outcome.WRONG,
        "sentence": "One of two checks holds.",
        "checks": (check_report("values", holds=False, expected="[2, 4]", got="[3, 6]"), check_report("unchanged")),
        "marks_fraction": "0.4000",
        "diagnosis": Diagnosis(Wording.EXACT, "slip-triple", "It behaves exactly like tripling.", "It adds x twice."),
    }
    return Verdict(**(values | fields))


def operator_verdict(**fields: Any) -> Verdict:
    return Verdict(Outcome.OPERATOR, "The grader lost its device.", reason="no device", **fields)


def verdict_note(answered: Submission, verdict: Verdict | None = None, **changes: Any) -> VerdictNote:
    sent = delivery_of(answered)
    sent = Delivery(**({"submission": sent.submission, "delivery": sent.delivery, "ticket": sent.ticket} | changes))
    return VerdictNote(sent, "judge-1", verdict or right_verdict())


def progress_note(submission: Submission, *reports: CheckReport) -> ProgressNote:
    return ProgressNote(delivery_of(submission), "judge-1", reports)


def graded(learner, broker, verdict, *, kind=Kind.SUBMIT, source="def attention(Q, K, V): ...") -> Submission:
    """Return a submission after its verdict came in by the verbs that the recorder uses."""
    make_judge()
    submission = make_submission(user=learner, kind=kind, source=source)
    dispatch()
    submission.refresh_from_db()
    assert record_verdict(verdict_note(submission, verdict))
    return Submission.objects.get(pk=submission.pk)


def page_of(client, submission) -> str:
    answer = client.get(reverse("submission", args=[submission.pk]))
    assert answer.status_code == 200
    return answer.content.decode()
