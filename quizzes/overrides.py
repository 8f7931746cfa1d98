"""Sets the mark of a sitting by hand: the sitting holds the mark that counts everywhere, a row beside it why."""

import uuid
from decimal import Decimal

from django.core.exceptions import ValidationError
from django.db import transaction

from courseware.accounts import audit
from courseware.accounts.models import User
from quizzes.closing import locked
from quizzes.marking import STORED_PLACES, shown
from quizzes.models import SittingMarkOverride

CHANGE_MARK = "change mark"


@transaction.atomic
def set_mark(sitting_id: uuid.UUID, mark: Decimal, *, reason: str, by: User) -> bool:
    """Give a sitting that has ended another mark; False if it has this one already.

    Errors:  ValidationError if the sitting is open, the mark is out of bounds or no reason is given
    """
    sitting = locked(sitting_id)
    if sitting.mark is None:
        raise ValidationError("This sitting is still open. Its mark can be changed once it has ended.")
    if not reason.strip():
        raise ValidationError({"reason": "Say why: the learner reads it beside the mark."})
    mark = mark.quantize(STORED_PLACES)
    if not 0 <= mark <= sitting.out_of:
        raise ValidationError({"mark": f"Write a mark from 0 to {shown(sitting.out_of)}."})
    before = sitting.mark
    if mark == before:
        return False
    SittingMarkOverride.objects.create(sitting=sitting, before=before, after=mark, reason=reason.strip(), by=by)
    sitting.mark = mark
    sitting.save(update_fields=["mark"])
    cohort = sitting.assignment.cohort
    audit.note(
        by, CHANGE_MARK, f"sitting {sitting.pk}", cohort=cohort, before=shown(before), after=f"{shown(mark)}: {reason}"
    )
    return True
