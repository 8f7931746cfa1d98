"""Making one answer final while its sitting goes on, in a test that shows something at once.

Whoever has seen the mark or the explanation of an answer must not be able to change it.
"""

import uuid

from django.db import transaction
from django.utils import timezone

from courseware.accounts.models import User
from quizzes import sittings
from quizzes.event_log import note
from quizzes.feedback import answers_become_final
from quizzes.models import EventKind, Response
from quizzes.outcomes import Receipt, Refusal, RefusalReason
from quizzes.sittings import Recorded, Sent

NOTHING_ANSWERED = Refusal(
    RefusalReason.NOTHING_ANSWERED, "Nothing is answered yet, so nothing became final. Answer first."
)


def make_final(user: User, sitting_id: uuid.UUID, position: int, sent: Sent) -> Recorded:
    """Record what this learner sent and let it never change again; twice is once. A question left open stays open.

    Errors:  Response.DoesNotExist if this learner has no such sitting or question;
             ValueError if the test shows nothing before hand-in
    """
    now = timezone.now()
    with transaction.atomic():
        # Recording locks the sitting, so nothing comes between it and being final.
        response, outcome = sittings.record_sent(user, sitting_id, position, sent)
        slot = response.slot
        if not answers_become_final(slot.sitting.assignment):
            raise ValueError("no answer of this test is final before hand-in")
        if not isinstance(outcome, Receipt):
            return response, outcome
        if outcome.answer is None:
            return response, NOTHING_ANSWERED
        if Response.objects.filter(pk=response.pk, revision=outcome.revision, final_at=None).update(final_at=now):
            detail = {"revision": outcome.revision, "answer": list(outcome.answer.parts), "final": True}
            note(slot.sitting, EventKind.SAVED, now, slot, detail)
        return response, outcome
