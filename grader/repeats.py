"""A program that is sent again unchanged: the verdict that it was given is given once more, at once and marked as such.

It opens no explanation that was not open yet: the next one of the same mistake asks for a changed program. Comments and
layout are no change.
"""

import io
import tokenize
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from courseware.statements import Given, Statement
from grader.models import CheckResult, State, Submission
from grader.verdicts import Outcome

# Found from the code alone. Whether a program keeps within its time or memory may depend on the hour.
_STAYS = (Outcome.RIGHT, Outcome.FRAGILE, Outcome.WRONG, Outcome.ERROR)
# The exercise's digest says that its files are the same; the grader itself may have been mended since yesterday.
_STAYS_FOR = timedelta(hours=1)
_LOOKED_AT = 5  # of the latest: who goes back farther than that is trying something
_COMPARED_CHARACTERS = (
    10_000  # a long solution has fewer, and to read a far longer text takes long enough to be a burden
)
_IGNORED = (tokenize.COMMENT, tokenize.NL)
_SPACES = (tokenize.INDENT, tokenize.NEWLINE)
_VERDICT = ("verdict", "fault_of", "mark", "misconception_ids", "evidence", "behaviour_signature")


def answer_as_before(submission: Submission) -> bool:
    """End a newly queued submission with the verdict that its learner lately got for this program, if there is one.

    The caller holds the learner's lock, so nobody else has seen the row yet.
    """
    if submission.number == 1:
        return False
    now = timezone.now()
    given = {
        "user": submission.user_id,
        "exercise": submission.exercise,
        "digest": submission.exercise_digest,
        "kind": submission.kind,
        "since": now - _STAYS_FOR,
        "now": now,
    }
    before = _EQUAL.first(**given, source=submission.source) or _same_program(submission.source, _LATEST.rows(**given))
    if before is None:
        return False
    for column in _VERDICT:
        setattr(submission, column, getattr(before, column))
    submission.state, submission.finished_at, submission.same_as = State.FINISHED, now, before.number
    submission.save()
    results = list(before.results.all())
    for result in results:
        result.pk, result.submission = None, submission
    CheckResult.objects.bulk_create(results)
    return True


def _theirs(outcomes: Sequence[Outcome]) -> QuerySet[Submission]:
    return Submission.objects.filter(
        user=Given("user", int),
        exercise=Given("exercise", str),
        exercise_digest=Given("digest", str),
        kind=Given("kind", str),
        state=State.FINISHED,
        verdict__in=[outcome.value for outcome in outcomes],
        # Only verdicts that were found: answers to answers would make one last for ever.
        same_as=None,
        finished_at__range=(Given("since", datetime), Given("now", datetime)),
    ).order_by("-number")


_EQUAL: Statement[Submission] = Statement(lambda: _theirs(_STAYS).filter(source=Given("source", str))[:1])
# An error names its line, so a program that raised is judged again unless it is equal to the letter.
_LATEST: Statement[Submission] = Statement(
    lambda: _theirs([outcome for outcome in _STAYS if outcome is not Outcome.ERROR])[:_LOOKED_AT]
)


def _same_program(source: str, latest: Sequence[Submission]) -> Submission | None:
    """Return the first of these that differs in comments and layout alone."""
    if not (own := _read(source)):
        return None
    return next((each for each in latest if _read(each.source) == own), None)


def _read(source: str) -> list[tuple[int, str]]:
    """Return what Python reads of a program, without comments and layout; nothing where it reads none.

    Tokens and no syntax tree: its parser may be brought down by a text that nests deeply.
    """
    if len(source) > _COMPARED_CHARACTERS:
        return []
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return []
    return [(each.type, "" if each.type in _SPACES else each.string) for each in tokens if each.type not in _IGNORED]
