"""How fast a sitting may be changed: faster than anybody answers, and not without end."""

import pytest
from django.urls import reverse
from django.utils import timezone

from quizzes import sittings
from quizzes.models import Event, EventKind, Response
from quizzes.outcomes import Refusal, RefusalReason
from quizzes.sittings import CHANGES_PER_MINUTE
from tests.factories import make_sitting
from tests.quizzes.answering import right_answer
from tests.quizzes.browsing import as_script, form_of

pytestmark = pytest.mark.django_db
NOON = "2026-11-29T12:00:00Z"


def _busy_sitting():
    """A sitting in which as much was changed within this minute as may be."""
    sitting = make_sitting()
    have = Event.objects.filter(sitting=sitting).count()
    Event.objects.bulk_create(
        Event(sitting=sitting, kind=EventKind.SAVED, at=timezone.now()) for _ in range(CHANGES_PER_MINUTE - have)
    )
    return sitting


def test_one_change_too_many_is_refused_until_the_minute_is_over(time_machine):
    time_machine.move_to(NOON, tick=False)
    sitting = _busy_sitting()
    answer = right_answer(sitting.slots.select_related("snapshot", "response").get(position=1))

    saved, flagged = sittings.record_answer(sitting.pk, 1, answer, 0), sittings.flag(sitting.pk, 1, flagged=True)

    assert {each.reason for each in (saved, flagged)} == {RefusalReason.TOO_FAST}
    time_machine.shift(60)
    assert not isinstance(sittings.record_answer(sitting.pk, 1, answer, 0), Refusal)
    assert sittings.flag(sitting.pk, 1, flagged=True) is None


def test_handing_in_is_never_too_fast():
    assert sittings.hand_in(_busy_sitting().pk).is_closed


def test_refused_change_leads_back_to_the_question_and_tells_a_script_to_try_again(signed_in):
    sitting = _busy_sitting()
    browser = signed_in(sitting.enrolment.user)
    path = reverse("question", args=[sitting.pk, 1])
    fields = {**form_of(browser.get(path)), "choice": "1", "number": "1"}

    script, page = as_script(browser, path, fields), browser.post(path, fields)

    assert script.status_code == 429
    assert page.url == path
    assert "Wait a minute" in browser.get(path).content.decode()
    assert not Response.objects.filter(slot__sitting=sitting, revision__gt=0).exists()
