"""How often one learner may hand programs to the grader: enough for anybody who reads a verdict before the next try."""

import math
from datetime import datetime, timedelta

from django.utils import timezone

from courseware.accounts.models import User
from courseware.statements import Given, Statement
from grader.models import Submission
from grader.sources import Refused
from grader.words import cardinal

# One every five seconds, runs included. A verdict takes about a second and longer to read; a key held down, or a
# program that tries its way to the references, meets its end here before it costs others their place.
PROGRAMS_PER_MINUTE = 12
_MINUTE = timedelta(minutes=1)

_LATELY: Statement[datetime] = Statement(
    lambda: (
        Submission.objects.filter(
            user=Given("user", int), queued_at__gt=Given("since", datetime), queued_at__lt=Given("until", datetime)
        )
        .order_by("-queued_at")
        .values_list("queued_at", flat=True)[:PROGRAMS_PER_MINUTE]
    )
)


def check_pace(user: User) -> None:
    """Pass a learner who may hand in a program now. The caller holds the lock behind which their submits stand.

    Errors:  Refused, which says when the next one may go
    """
    now = timezone.now()
    # What lies further ahead was handed in before the clock was set back, which is nothing to wait for.
    times = _LATELY.rows(user=user.pk, since=now - _MINUTE, until=now + _MINUTE)
    if len(times) < PROGRAMS_PER_MINUTE:
        return
    seconds = math.ceil((times[-1] + _MINUTE - now).total_seconds())
    raise Refused(
        f"{cardinal(PROGRAMS_PER_MINUTE)} programs went to the grader within a minute, and that is the most."
        f" Your code is saved; the next one can go in {seconds} second{'' if seconds == 1 else 's'}."
    )
