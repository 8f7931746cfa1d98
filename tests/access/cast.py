"""Who tries the pages, and what they try to reach: one owner with something of everything, and others without."""

import base64
from dataclasses import dataclass
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.apps import apps
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone

from courseware.accounts.models import Cohort, Role, User
from courseware.concepts.course import current
from courseware.results.forms import ConditionsForm
from courseware.study.models import Depth
from courseware.study.readings import note_reading
from grader.models import Draft, Submission
from quizzes import practice, practice_pool, reports, self_checks, sittings
from quizzes.assignments import conditions_of
from quizzes.catalogue import current_bank
from quizzes.models import Assignment, Complaint, PracticeAnswer, QuestionReport, Sitting
from quizzes.questions import Answer, Question
from tests.factories import (
    PASSWORD,
    make_assignment,
    make_cohort,
    make_enrolment,
    make_finished,
    make_instructor,
    make_learner,
    make_sitting,
    make_submission,
)
from tests.quizzes.answering import slot_of

CONCEPT = "scaled-dot-product-attention"
EXERCISE = "attention"
ROSTER = base64.b64encode(b"Name,Email\nSomebody New,somebody.new@example.org\n").decode()
LMS_FILE = base64.b64encode(b"Email address,Mark\nsomebody@example.org,\n").decode()
ANOTHER_PASSWORD = "another long enough phrase"
# What signing in and reading itself writes; everything else must stay as it is when somebody is refused.
_WRITTEN_BY_SIGNING_IN = {"sessions.Session", "axes.AccessAttempt", "axes.AccessLog", "axes.AccessFailureLog"}


@dataclass(frozen=True)
class Cast:
    """Everybody, and everything that the owner has."""

    cohort: Cohort
    owner: User
    learner: User  # learns in another cohort
    instructor: User  # teaches the owner's cohort
    assistant: User  # helps there
    elsewhere: User  # teaches the other cohort
    operator: User  # is_staff: runs the site, teaches nobody
    assignment: Assignment
    open_sitting: Sitting
    closed_sitting: Sitting
    practised: PracticeAnswer
    report: QuestionReport
    submission: Submission  # waits
    finished: Submission
    other_cohort: Cohort
    reset_key: str  # of a link to a new password for the owner

    def person(self, name: str) -> User | None:
        """Return somebody by the name of their column; nobody for the stranger."""
        return None if name == "stranger" else getattr(self, name)


def make_cast() -> Cast:
    cohort, other_cohort = make_cohort(name="Owner’s cohort"), make_cohort(name="Other cohort")
    owner, learner = make_learner(cohort), make_learner(other_cohort)
    assignment = make_assignment(cohort, title="Owner’s test", attempts=3)
    make_assignment(other_cohort, title="Other test")
    closed_sitting = make_sitting(assignment, user=owner, seed="1")
    sittings.hand_in(closed_sitting.pk)
    read_and_pick(owner)
    practised = practise(owner)
    return Cast(
        cohort=cohort,
        owner=owner,
        learner=learner,
        instructor=make_instructor(cohort),
        assistant=make_enrolment(cohort=cohort, role=Role.ASSISTANT).user,
        elsewhere=make_instructor(other_cohort),
        operator=User.objects.create_superuser("operator@example.org", PASSWORD, name="Operator"),
        assignment=assignment,
        open_sitting=make_sitting(assignment, user=owner, seed="2"),
        closed_sitting=Sitting.objects.get(pk=closed_sitting.pk),
        practised=practised,
        report=report(owner, closed_sitting),
        finished=make_finished(user=owner),
        submission=make_submission(user=owner),
        other_cohort=other_cohort,
        reset_key=default_token_generator.make_token(owner),
    )


def read_and_pick(user: User) -> None:
    """Let a person read the card and answer its question."""
    for depth in Depth:
        note_reading(user, "transformers", CONCEPT, depth)
    options = current_bank().self_checks[CONCEPT].task.options
    self_checks.pick(user, CONCEPT, options[0].id)
    Draft.objects.create(user=user, exercise=EXERCISE, revision=1, source="def attention(Q, K, V): ...")


def practice_question() -> Question:
    """Return a practice question with options, so that one form fits."""
    return next(each for each in practice_pool.of_concept(CONCEPT) if each.kind == "single")


def practise(user: User) -> PracticeAnswer:
    """Let a person answer a practice question wrongly, by an option that a misconception stands behind if it can be."""
    question = practice_question()
    wrong = [option for option in question.task.options if not option.is_right]
    wrong.sort(key=lambda option: option.cause is None or option.cause.is_slip)
    kept = practice.keep(user, question, practice.pose(user, question).number, Answer((wrong[0].id,)))
    assert kept is not None
    return kept


def report(user: User, sitting: Sitting) -> QuestionReport:
    """Let a person report the last question of a handed-in sitting."""
    subject = reports.subject_in_review(user, sitting.pk, sitting.slots.count())
    assert subject is not None
    filed = reports.file_report(subject, complaint=Complaint.WORDING, text="It can be read in two ways.")
    assert isinstance(filed, QuestionReport)
    return filed


def arguments(cast: Cast, name: str) -> list[Any]:
    """Return what the address of this name is about: always the owner's."""
    asked = slot_of(cast.open_sitting, "single").position  # a question that the form of `fields` fits
    return {
        "account_reset_password_from_key": [user_pk_to_url_str(cast.owner), cast.reset_key],
        "join_cohort": [cast.cohort.join_code],
        "cohort_join_code": [cast.cohort.pk],
        "module": ["transformers"],
        "module_map": ["transformers"],
        "whole_module": ["transformers"],
        "card": [CONCEPT],
        "card_fifteen": [CONCEPT],
        "card_deep": [CONCEPT],
        "self_check_pick": [CONCEPT],
        "assignment": [cast.assignment.pk],
        "sitting_open": [cast.assignment.pk],
        "question": [cast.open_sitting.pk, asked],
        "question_flag": [cast.open_sitting.pk, asked],
        "question_final": [cast.open_sitting.pk, asked],
        "sitting_time": [cast.open_sitting.pk],
        "hand_in": [cast.open_sitting.pk],
        "review": [cast.closed_sitting.pk],
        "practice_concept": [CONCEPT],
        "practice_idea": [next(each for each in current().misconceptions if practice_pool.of_idea(each))],
        "practice_question": [CONCEPT, practice_question().slug],
        "practice_answer": [cast.practised.pk],
        "report_reviewed": [cast.closed_sitting.pk, 1],
        "report_practised": [cast.practised.pk],
        "cohort_reports": [cast.cohort.pk],
        "cohort_report": [cast.cohort.pk, cast.report.pk],
        "exercise": [EXERCISE],
        "draft_save": [EXERCISE],
        "submit": [EXERCISE],
        "submission": [cast.submission.pk],
        "submission_status": [cast.submission.pk],
        "submission_cancel": [cast.submission.pk],
        "cohort": [cast.cohort.pk],
        "cohort_csv": [cast.cohort.pk],
        "cohort_learner": [cast.cohort.pk, cast.owner.uuid],
        "cohort_analyses": [cast.cohort.pk],
        "cohort_analysis": [cast.cohort.pk, cast.assignment.pk],
        "cohort_analysis_csv": [cast.cohort.pk, cast.assignment.pk],
        "cohort_item": [cast.cohort.pk, cast.assignment.pk, *_asked(cast).split("/")],
        "cohort_xlsx": [cast.cohort.pk],
        "cohort_roster": [cast.cohort.pk],
        "cohort_withdraw": [cast.cohort.pk, cast.owner.uuid],
        "cohort_as_learner": [cast.cohort.pk, cast.owner.uuid],
        "cohort_exercises": [cast.cohort.pk],
        "cohort_exercise": [cast.cohort.pk, EXERCISE],
        "cohort_lms": [cast.cohort.pk],
        "cohort_mark": [cast.cohort.pk, cast.owner.uuid, cast.assignment.pk],
        "cohort_exercise_mark": [cast.cohort.pk, cast.owner.uuid, EXERCISE],
        "cohort_beliefs": [cast.cohort.pk],
        "cohort_beliefs_csv": [cast.cohort.pk],
        "cohort_belief": [cast.cohort.pk, cast.practised.misconception_ids[0]],
        "cohort_belief_learners": [cast.cohort.pk, cast.practised.misconception_ids[0]],
        "cohort_assignments": [cast.cohort.pk],
        "cohort_assignment_add": [cast.cohort.pk],
        "cohort_assignment": [cast.cohort.pk, cast.assignment.pk],
        "cohort_time": [cast.cohort.pk, cast.owner.uuid],
        "cohort_sitting": [cast.cohort.pk, cast.closed_sitting.pk],
        "cohort_submission": [cast.cohort.pk, cast.finished.pk],
    }.get(name, [])


def _asked(cast: Cast) -> str:
    """Return the id of a question of the handed-in sitting."""
    return cast.closed_sitting.slots.values_list("question_id", flat=True)[0]


def fields(cast: Cast, name: str) -> dict[str, str]:
    """Return a form that would be taken from whoever may send it, so that a refusal is about the person."""
    version = self_checks.version_of(current_bank().self_checks[CONCEPT])
    held = ConditionsForm(None, held=conditions_of(cast.assignment), assignment=cast.assignment, is_begun=True)
    seen = str(held.initial["seen"])
    conditions = {
        "title": "Renamed", "blueprint": "module-test", "paper": "own", "attempts": "3", "counts": "best",
        "marks_shown": "at hand-in", "explanations_shown": "at hand-in",
    }  # fmt: skip
    return {
        "account_change_password": {
            "oldpassword": PASSWORD,
            "password1": ANOTHER_PASSWORD,
            "password2": ANOTHER_PASSWORD,
        },
        "account_reauthenticate": {"password": PASSWORD},
        "account_reset_password": {"email": cast.owner.email},
        "join": {"code": cast.cohort.join_code},
        "join_cohort": {
            "person": str(cast.learner.uuid),
            "name": "Newcomer",
            "email": "newcomer@example.org",
            "password": PASSWORD,
        },
        "cohort_join_code": {"action": "renew", "seen": cast.cohort.join_code},
        "cohort_assignment_add": conditions | {"title": "A new test"},
        "cohort_assignment": conditions | {"seen": seen},
        "cohort_mark": {"sitting": str(cast.closed_sitting.pk), "mark": "3", "reason": "Seen in person."},
        "cohort_exercise_mark": {"mark": "9", "reason": "Seen in person."},
        "cohort_lms": {"content": LMS_FILE},
        "cohort_roster": {"content": ROSTER, "import": ""},
        "cohort_withdraw": {"action": "withdraw"},
        "cohort_time": {"factor": "1.5", "extra_minutes": "5"},
        "self_check_pick": {"choice": "1", "version": version},
        "question": {"choice": "1", "number": "1", "revision": "0"},
        "question_flag": {"flagged": "1", "choice": "1", "number": "1", "revision": "0"},
        "practice_question": {"choice": "1", "turn": "1", "version": practice.version_of(practice_question())},
        "report_reviewed": {"complaint": "key", "text": "Two options are right."},
        "report_practised": {"complaint": "other", "text": "The number is cut off."},
        "cohort_report": {"action": "deal"},
        "draft_save": {"source": "x = 1", "revision": "1"},
        "submit": {"source": "x = 1", "revision": "1", "kind": "submit"},
    }.get(name, {})


def names_of_every_address() -> list[str]:
    """Return the name of each pattern of the URL conf; one without a name stands there as its pattern."""

    def walk(patterns: list[URLPattern | URLResolver], before: str) -> list[str]:
        found = []
        for pattern in patterns:
            path = f"{before}{pattern.pattern}"
            if isinstance(pattern, URLResolver):
                found += walk(pattern.url_patterns, path)
            else:
                found.append(pattern.name or path)
        return found

    return walk(get_resolver().url_patterns, "/")


def rows() -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table, to tell whether anything was changed."""
    return {
        model._meta.label: list(
            model._default_manager.order_by("pk").values(
                *(field.attname for field in model._meta.concrete_fields if field.attname != "last_login")
            )
        )
        for model in apps.get_models()
        if model._meta.label not in _WRITTEN_BY_SIGNING_IN
    }


def withdraw(user: User, cohort: Cohort) -> None:
    user.enrolments.filter(cohort=cohort).update(withdrawn_at=timezone.now())
