"""Sets a learner's mark in an exercise by hand. The best submission counts, so a lower mark reaches all above it."""

from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction

from courseware.accounts import audit
from courseware.accounts.models import Cohort, User
from grader.models import MARK_PLACES, Kind, Submission, SubmissionMarkOverride
from grader.words import marks

CHANGE_MARK = "change mark"


@transaction.atomic
def set_exercise_mark(learner: User, exercise: str, mark: Decimal, *, reason: str, by: User, cohort: Cohort) -> bool:
    """Let this be what a learner's best submission of an exercise is worth; False if it is so already.

    Errors:  ValidationError if nothing was graded, the mark is out of bounds or no reason is given
    """
    User.objects.select_for_update().get(pk=learner.pk)  # of two changes at once the second sees the first
    graded = list(
        Submission.objects.counted()
        .filter(user=learner, exercise=exercise, mark__isnull=False, marks_available__isnull=False)
        .order_by("-mark", "-number")
    )
    if not graded:
        raise ValidationError("Nothing of this learner was graded in this exercise, so there is no mark to change.")
    if not reason.strip():
        raise ValidationError({"reason": "Say why: the learner reads it beside the mark."})
    best, before, mark = graded[0], graded[0].mark, mark.quantize(MARK_PLACES)
    if before is None or best.marks_available is None or not 0 <= mark <= best.marks_available:
        raise ValidationError({"mark": f"Write a mark from 0 to {marks(best.marks_available or Decimal(0))}."})
    if mark == before:
        return False
    changed = [best, *(each for each in graded[1:] if each.mark is not None and each.mark > mark)]
    for each in changed:
        assert each.mark is not None
        SubmissionMarkOverride.objects.create(
            submission=each, before=each.mark, after=mark, reason=reason.strip(), by=by
        )
        each.mark = mark
    Submission.objects.bulk_update(changed, ["mark"])
    what = f"{Kind.SUBMIT} {best.number} of {exercise} by {learner.uuid}"
    audit.note(
        by, CHANGE_MARK, what, cohort=cohort, before=marks(before),
        after=f"{marks(mark)}: {reason}",
    )  # fmt: skip
    return True
