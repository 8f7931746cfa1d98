"""What the pages of this package show, composed for one person. Reads; changes nothing."""

import math
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from courseware.accounts.models import User
from courseware.concepts.code import code_block
from courseware.concepts.course import current
from courseware.concepts.markup import render_block
from courseware.concepts.modules import Concept
from courseware.drawing.safe_html import SafeHtml
from courseware.statements import Given as Gap
from courseware.statements import Statement
from grader import words
from grader.arguments import Given
from grader.catalogue import current_exercises
from grader.drafts import drafts_of
from grader.exercises import Exercise
from grader.explaining import Explanation, explain
from grader.models import MARK_PLACES, CheckResult, Draft, State, Submission
from grader.revealing import opens_at
from grader.standings import NOT_BEGUN, Standing, standing_in, standings_of
from grader.waiting import Stage, stages

# A page lists this many of a learner's runs and submits of one exercise; the newest are what anybody looks for.
HISTORY_SHOWN = 30
# Colouring a longer text takes long enough to be a burden, and no solution comes near it.
COLOURED_CHARACTERS = 10_000

_HISTORY: Statement[Submission] = Statement(
    lambda: (
        Submission.objects.filter(user=Gap("user", int), exercise=Gap("exercise", str))
        .defer("source", "evidence")
        .order_by("-queued_at")[:HISTORY_SHOWN]
    )
)
_MINE: Statement[Submission] = Statement(
    lambda: Submission.objects.filter(user=Gap("user", int), pk=Gap("submission", uuid.UUID))
)
_NEWER: Statement[uuid.UUID] = Statement(
    lambda: (
        Submission.objects.filter(
            user=Gap("user", int), exercise=Gap("exercise", str), queued_at__gt=Gap("queued_at", datetime)
        )
        .order_by()
        .values_list("pk", flat=True)[:1]
    )
)


@dataclass(frozen=True)
class ExerciseRow:
    exercise: Exercise
    shape: str
    tone: str
    state: str


@dataclass(frozen=True)
class ConceptRows:
    concept: Concept | None
    rows: tuple[ExerciseRow, ...]


@dataclass(frozen=True)
class ExampleView:
    title: str
    inputs: tuple[tuple[str, str], ...]
    expected: str


@dataclass(frozen=True)
class Editor:
    """The editor of one exercise and what stands around it."""

    exercise: Exercise
    source: str
    revision: int
    draft: Draft | None
    notice: str = ""  # why the last request was refused
    other: Draft | None = None  # the version that another tab saved


@dataclass(frozen=True)
class ExercisePage:
    exercise: Exercise
    concept: Concept | None
    library: str
    editor: Editor
    standing: Standing
    best: str
    history: Sequence[Submission]
    replaced: Sequence[Draft]

    # What follows from the exercise alone is made when the template first needs it, which then keeps it.

    @property
    def brief(self) -> SafeHtml:
        return SafeHtml(render_block(self.exercise.brief))

    @property
    def examples(self) -> tuple[ExampleView, ...]:
        return tuple(_example(self.exercise, index) for index in range(len(self.exercise.examples)))


@dataclass(frozen=True)
class SubmissionPage:
    submission: Submission
    exercise: Exercise | None  # None where the course no longer has it
    concept: Concept | None
    library: str
    stages: tuple[Stage, ...]  # while it is live
    explanation: Explanation | None  # once it has a verdict
    found: Sequence[CheckResult]  # by its checks so far, while it is live
    editor: Editor | None  # for the learner's newest one
    by_hand: str = ""  # why its mark was changed by hand

    @property
    def code(self) -> SafeHtml:
        """Its source, coloured; a page with an editor needs none."""
        return _code(self.submission.source)


def exercise_list(user: User) -> tuple[ConceptRows, ...]:
    """Return the exercises, grouped by concept in the course's order, with how this person stands in each."""
    stands = standings_of(user)
    begun = set(Draft.objects.filter(user=user).values_list("exercise", flat=True).distinct())
    grouped: dict[str, list[ExerciseRow]] = {}
    for exercise in current_exercises().values():
        row = _row(exercise, stands.get(exercise.slug, NOT_BEGUN), has_draft=exercise.slug in begun)
        grouped.setdefault(exercise.concept_id, []).append(row)
    return tuple(ConceptRows(current().concept(concept_id), tuple(rows)) for concept_id, rows in grouped.items())


def exercise_page(user: User, exercise: Exercise, *, editor: Editor | None = None) -> ExercisePage:
    """Return the page of one exercise; `editor` stands in for the stored draft after a refused request."""
    standing = standing_in(user, exercise.slug)
    stored = drafts_of(user, exercise)
    return ExercisePage(
        exercise=exercise,
        concept=current().concept(exercise.concept_id),
        library=words.LIBRARIES[exercise.library],
        editor=editor or _editor(exercise, stored),
        standing=standing,
        best=words.marks(standing.best_mark) if standing.best_mark is not None else "",
        history=_HISTORY.rows(user=user.pk, exercise=exercise.slug),
        replaced=stored[1:],
    )


def _editor(exercise: Exercise, stored: Sequence[Draft]) -> Editor:
    """Return the editor with what was saved last, or with the starter."""
    if not stored:
        return Editor(exercise, exercise.starter, 0, None)
    return Editor(exercise, stored[0].source, stored[0].revision, stored[0])


def submission_of(user: User, submission_id: uuid.UUID) -> Submission | None:
    """Return a submission of this learner, None if it is not theirs."""
    return _MINE.first(user=user.pk, submission=submission_id)


def submission_page(submission: Submission, *, reader: User) -> SubmissionPage:
    """Return the page of one submission for its learner, with the editor beside the newest one."""
    page = report_of(submission, opens=opens_at(submission) if reader.pk == submission.user_id else None)
    if page.exercise is None or reader.pk != submission.user_id or not _is_newest(submission):
        return page
    return replace(page, editor=_editor(page.exercise, drafts_of(reader, page.exercise)))


def report_of(submission: Submission, *, opens: datetime | None = None) -> SubmissionPage:
    """Return what is known of one submission, to be read and not to be changed; all of it unless some opens later."""
    exercise = current_exercises().get(submission.exercise)
    is_finished = submission.state == State.FINISHED
    return SubmissionPage(
        submission=submission,
        exercise=exercise,
        concept=current().concept(exercise.concept_id) if exercise else None,
        library=words.LIBRARIES[exercise.library] if exercise else "",
        stages=stages(submission) if submission.is_live else (),
        explanation=explain(submission, submission.checks, opens=opens) if is_finished else None,
        found=submission.checks if submission.is_live else (),
        editor=None,
        by_hand=_by_hand(submission),
    )


def _by_hand(submission: Submission) -> str:
    """Return that the mark was changed by hand, and why, where it is not what the verdict makes it."""
    fraction = submission.evidence.get("marks_fraction")
    if fraction is None or submission.mark is None or submission.marks_available is None:
        return ""
    judged = Decimal(fraction) * submission.marks_available
    latest = None if abs(judged - submission.mark) <= MARK_PLACES else submission.overrides.first()
    return f"Its mark was changed by hand, from {words.marks(latest.before)}: “{latest.reason}”" if latest else ""


def _is_newest(submission: Submission) -> bool:
    newer = _NEWER.first(user=submission.user_id, exercise=submission.exercise, queued_at=submission.queued_at)
    return newer is None


def _row(exercise: Exercise, standing: Standing, *, has_draft: bool) -> ExerciseRow:
    available = words.marks(exercise.marks)
    if standing.is_live:
        return ExerciseRow(exercise, "clock", "open", "Waiting for its verdict")
    if standing.is_right:
        return ExerciseRow(exercise, "right", "right", f"Right, {available} of {available}")
    if standing.best_mark is not None:
        return ExerciseRow(exercise, "begun", "open", f"Best so far {words.marks(standing.best_mark)} of {available}")
    if has_draft:
        return ExerciseRow(exercise, "begun", "open", "Begun")
    return ExerciseRow(exercise, "open", "open", f"Not started, {available} marks")


def _example(exercise: Exercise, index: int) -> ExampleView:
    example = exercise.examples[index]
    inputs = tuple((name, _numbers(values)) for name, values in example.inputs)
    return ExampleView(example.title, inputs, _numbers(example.expected))


def _numbers(values: Given) -> str:
    """Return an argument as Python writes it: nested numbers as a list, whole numbers without their point."""
    if isinstance(values, tuple):
        return f"[{', '.join(_numbers(entry) for entry in values)}]"
    if isinstance(values, float):
        return f"{values:.4f}" if math.isfinite(values) and not values.is_integer() else f"{values:g}"
    return repr(values)


def _code(source: str) -> SafeHtml:
    return SafeHtml(code_block(source, "python" if len(source) <= COLOURED_CHARACTERS else ""))
