"""Keeps questions as they were asked: one row per version, written when it is first needed, never changed."""

import json
from collections.abc import Iterable, Mapping

from quizzes.freezing import freeze
from quizzes.models import QuestionSnapshot
from quizzes.questions import Question


def keep(questions: Iterable[Question]) -> Mapping[str, QuestionSnapshot]:
    """Return the snapshot of each question by question id, written now where this version was never asked before."""
    frozen = {question.id: freeze(question) for question in questions}
    digests = [each.content_digest for each in frozen.values()]
    known = {each.content_digest: each for each in QuestionSnapshot.objects.filter(content_digest__in=digests)}
    missing = [
        QuestionSnapshot(
            question_id=question_id,
            content_digest=each.content_digest,
            marking_digest=each.marking_digest,
            body=json.loads(each.body),
        )
        for question_id, each in frozen.items()
        if each.content_digest not in known
    ]
    if missing:
        # Two learners may start at once: whoever comes second finds the first one's rows.
        QuestionSnapshot.objects.bulk_create(missing, ignore_conflicts=True)
        known = {each.content_digest: each for each in QuestionSnapshot.objects.filter(content_digest__in=digests)}
    return {question_id: known[each.content_digest] for question_id, each in frozen.items()}
