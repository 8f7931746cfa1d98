"""When the explanation of a verdict opens to its learner: at once, for whoever reads one before the next try.

What failed and the mark are always shown. The diagnosis, the counterexample and the pictures come out of a bucket: five
at once, and one more every two minutes, for each exercise. No submission is refused and no mark is lost by it. A
program that is sent again unchanged opens nothing further: it is given the verdict and explanation of the one before.
Source:  limits on feedback made learners of programming try less at random, while fixed pauses only annoyed them
"""

from datetime import datetime, timedelta

from django.db.models import QuerySet
from django.utils import timezone

from grader.models import Kind, Submission

AT_ONCE = 5
REFILL = timedelta(minutes=2)
_LOOKED_AT = 30  # submissions; whoever made more in one hour waits for the rest of it at most


def opens_at(submission: Submission) -> datetime | None:
    """Return when the explanation of a submission opens to its learner; None where it is open already."""
    found = submission if submission.same_as is None else _numbered(submission, submission.same_as)
    if found is None or not found.evidence.get("diagnosis"):
        return None
    earlier = _counted(found).filter(queued_at__lt=found.queued_at).order_by("-queued_at")
    times = earlier.values_list("queued_at", flat=True)[:_LOOKED_AT]
    # Of the five before it the oldest must be two minutes old, of the six before it four minutes, and so on.
    waits = [at + (place - AT_ONCE + 1) * REFILL for place, at in enumerate(times, start=1) if place >= AT_ONCE]
    latest = max(waits, default=found.queued_at)
    return latest if latest > timezone.now() else None


def _numbered(submission: Submission, number: int) -> Submission | None:
    """Return the submission whose verdict this one repeats: sending the code again opens nothing sooner."""
    return _counted(submission).filter(number=number).first()


def _counted(submission: Submission) -> QuerySet[Submission]:
    return Submission.objects.filter(
        user=submission.user_id, exercise=submission.exercise, kind=Kind.SUBMIT, same_as=None
    )
