"""The questions as they were asked: one row per version, whole, so that an edited file never changes the past."""

from django.db import models
from django.utils import timezone

from quizzes.freezing import canonical, thaw
from quizzes.questions import Question

# A class that saves at once asks for the same few dozen questions again and again; a course has some hundreds.
_THAWED_AT_MOST = 2048
_thawed: dict[str, Question] = {}


class QuestionSnapshot(models.Model):
    """One version of a question, whole, written before it is first asked and never changed."""

    question_id = models.CharField(max_length=160, help_text="<concept>/<name>, permanent")
    content_digest = models.CharField(max_length=64, unique=True, help_text="changes with anything a learner sees")
    marking_digest = models.CharField(max_length=64, help_text="changes only with what decides a mark")
    body = models.JSONField(help_text="the whole question; see quizzes/freezing.py")
    created_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.question_id} ({self.content_digest[:8]})"

    def question(self) -> Question:
        """Return the question as it was when this was written."""
        known = _thawed.get(self.content_digest)
        if known is None:
            if len(_thawed) >= _THAWED_AT_MOST:
                _thawed.clear()
            # A database may give the keys of an object in another order; the canonical text is the same for all.
            known = _thawed[self.content_digest] = thaw(canonical(self.body))
        return known
