"""When a learner sees marks and when explanations: the rule, what they are told of it, and every page that obeys it."""

import itertools
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from zoneinfo import ZoneInfo

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from quizzes import sittings
from quizzes.accommodations import accommodate
from quizzes.feedback import EVERYTHING, NOTHING, Policy, Visible, policy_of
from quizzes.final_answers import make_final
from quizzes.models import Assignment, Event, Feedback, Response, Sitting, Slot
from quizzes.outcomes import Receipt, Refusal, RefusalReason
from quizzes.questions import Answer
from quizzes.review import review_of
from quizzes.sittings import Sent
from tests.factories import make_assignment, make_instructor, make_sitting
from tests.quizzes.answering import answer_and_hand_in, right_answer, slot_of, wrong_answer
from tests.quizzes.browsing import address, as_script, form_of, place_of
from tests.quizzes.forms import control_html, controls_of, sent

pytestmark = pytest.mark.django_db

UTC_ZONE = ZoneInfo("UTC")
OPENED = datetime(2027, 3, 1, 10, tzinfo=UTC)
CLOSES = OPENED + timedelta(hours=2)
# What is shown by each policy: while the sitting is open (of final answers), handed in, and after the test has closed.
SHOWN = {
    Feedback.AT_ONCE: (True, True, True),
    Feedback.AT_HAND_IN: (False, True, True),
    Feedback.AFTER_CLOSING: (False, False, True),
    Feedback.NEVER: (False, False, False),
}


def a_test(**fields) -> Assignment:
    fields.setdefault("closes_at", timezone.now() + timedelta(hours=2))
    return make_assignment(**fields)


def finalise(slot: Slot, answer: Answer, *, revision: int = 0) -> Receipt | Refusal:
    """Send an answer as its form does, to be final."""
    form = controls_of(control_html(slot.snapshot.question(), slot.variant, answer))
    _, outcome = make_final(slot.sitting.enrolment.user, slot.sitting.pk, slot.position, Sent(sent(form), revision))
    return outcome


# --- the rule ---


@pytest.mark.parametrize(("marks", "explanations"), list(itertools.product(Feedback, Feedback)))
def test_marks_and_explanations_follow_their_own_policy(marks, explanations):
    policy = Policy(marks, explanations, CLOSES, UTC_ZONE)
    still_open, closed = Sitting(), Sitting(closed_at=OPENED + timedelta(hours=1))
    last_moment = CLOSES - timedelta(microseconds=1)

    moments = [(still_open, OPENED), (closed, last_moment), (closed, CLOSES)]
    seen = [policy.visible(sitting, now) for sitting, now in moments]

    assert seen == [Visible(*pair) for pair in zip(SHOWN[marks], SHOWN[explanations], strict=True)]


def test_a_sitting_that_outlasts_the_closing_shows_nothing_while_it_is_open():
    policy = Policy(Feedback.AFTER_CLOSING, Feedback.AFTER_CLOSING, CLOSES, UTC_ZONE)

    assert policy.visible(Sitting(), CLOSES + timedelta(hours=1)) == NOTHING


def test_extra_time_and_a_late_period_put_the_closing_off_for_whoever_has_them():
    assignment = a_test(
        marks_shown="after closing", explanations_shown="after closing", late_until=timezone.now() + timedelta(days=1)
    )
    ordinary, given_more = make_sitting(assignment), make_sitting(assignment)
    accommodate(
        given_more.enrolment, factor=Decimal(1), extra_minutes=45, by=make_instructor(given_more.enrolment.cohort)
    )

    ends = [policy_of(sitting).ends_at for sitting in (ordinary, given_more)]

    assert ends == [assignment.late_until, assignment.late_until + timedelta(minutes=45)]


@pytest.mark.parametrize("field", ["marks_shown", "explanations_shown"])
def test_a_test_that_never_closes_cannot_show_after_closing(field):
    with transaction.atomic(), pytest.raises(IntegrityError):
        make_assignment(**{field: Feedback.AFTER_CLOSING})
    with transaction.atomic(), pytest.raises(IntegrityError):
        make_assignment(**{field: "whenever"})


# --- what the learner is told ---


@pytest.mark.parametrize(
    ("marks", "explanations", "told"),
    [
        ("at hand-in", "at hand-in", "Marks and explanations are shown when you hand in."),
        ("at once", "at once", "Marks and explanations are shown as soon as an answer is final."),
        ("never", "never", "Marks and explanations are not shown for this test."),
        (
            "at hand-in",
            "after closing",
            "Marks are shown when you hand in. Explanations are shown from Monday 1 March, 13:00 (Europe/Vienna time), "
            "when the test has closed for you.",
        ),
    ],
)
def test_a_learner_is_told_when_they_see_what(marks, explanations, told):
    policy = Policy(Feedback(marks), Feedback(explanations), CLOSES, ZoneInfo("Europe/Vienna"))

    assert policy.promise == told


def test_afterwards_a_learner_is_told_of_what_is_held_back_alone():
    policy = Policy(Feedback.AT_HAND_IN, Feedback.NEVER, None, UTC_ZONE)

    assert policy.outstanding(Visible(marks=True, explanations=False)) == "Explanations are not shown for this test."
    assert policy.outstanding(EVERYTHING) == ""


def test_cover_and_look_over_say_it_before_anything_is_final(signed_in):
    sitting = make_sitting(a_test(marks_shown="never", explanations_shown="after closing"))
    browser = signed_in(sitting.enrolment.user)

    for page in (reverse("assignment", args=[sitting.assignment_id]), address("hand_in", sitting)):
        html = browser.get(page).content.decode()
        assert "Marks are not shown for this test. Explanations are shown from" in html


# --- the pages after hand-in ---


def pages_of(browser, sitting) -> dict[str, str]:
    """Every page on which the learner is told how a test went."""
    paths = {
        "home": reverse("home"),
        "module": reverse("module", args=["transformers"]),
        "assignments": reverse("assignments"),
        "assignment": reverse("assignment", args=[sitting.assignment_id]),
        "review": address("review", sitting) + "?show=all",
    }
    return {name: browser.get(path).content.decode() for name, path in paths.items()}


@pytest.mark.parametrize("policy", list(Feedback))
def test_marks_are_on_every_page_or_on_none(policy, signed_in):
    sitting = make_sitting(a_test(marks_shown=policy, explanations_shown="never"))
    browser = signed_in(sitting.enrolment.user)
    answer_and_hand_in(sitting)

    found = {name for name, html in pages_of(browser, sitting).items() if "1.33 of 9" in html}

    shown = SHOWN[policy][1]
    assert found == ({"home", "module", "assignments", "assignment", "review"} if shown else set())


@pytest.mark.parametrize("policy", list(Feedback))
def test_explanations_are_in_the_review_or_nowhere(policy, signed_in):
    sitting = make_sitting(a_test(marks_shown="at hand-in", explanations_shown=policy))
    browser = signed_in(sitting.enrolment.user)
    answer_and_hand_in(sitting)

    pages = pages_of(browser, sitting)

    shown = SHOWN[policy][1]
    assert ('class="entry note' in pages["review"]) == shown
    assert ("Ideas behind the misses" in pages["review"]) == shown
    assert ("Explanations are" in pages["review"]) != shown
    assert pages["review"].count('aria-labelledby="q') == 9


def test_a_review_without_marks_and_explanations_says_what_was_received_and_shows_no_question(signed_in):
    sitting = make_sitting(a_test(marks_shown="after closing", explanations_shown="after closing"))
    browser = signed_in(sitting.enrolment.user)
    answer_and_hand_in(sitting)

    html = browser.get(address("review", sitting)).content.decode()

    assert "<h1>Handed in</h1>" in html
    assert "4 of 9 questions answered." in html
    assert "Marks and explanations are shown from" in html
    assert 'aria-labelledby="q' not in html


def test_what_waits_for_the_closing_is_there_when_the_test_has_closed(signed_in):
    sitting = make_sitting(a_test(marks_shown="after closing", explanations_shown="after closing"))
    answer_and_hand_in(sitting)

    with time_machine.travel(sitting.assignment.closes_at + timedelta(seconds=1)):
        html = signed_in(sitting.enrolment.user).get(address("review", sitting)).content.decode()

    assert "1.33 of 9" in html
    assert 'class="entry note' in html


def test_marks_alone_judge_each_question_without_a_reason(signed_in):
    sitting = make_sitting(a_test(explanations_shown="never"))
    answer_and_hand_in(sitting)

    html = signed_in(sitting.enrolment.user).get(address("review", sitting) + "?show=all").content.decode()

    words = {
        word: html.count(f'class="word">{word}') for word in ("Right.", "Right in part.", "Not right.", "Left open.")
    }
    assert words == {"Right.": 1, "Right in part.": 1, "Not right.": 2, "Left open.": 5}
    assert "By concept" in html


def test_explanations_without_marks_hold_no_mark(signed_in):
    sitting = make_sitting(a_test(marks_shown="never"))
    answer_and_hand_in(sitting)

    html = signed_in(sitting.enrolment.user).get(address("review", sitting) + "?show=all").content.decode()

    assert 'class="entry note' in html
    assert "of 1 mark" not in html
    assert "1.33" not in html
    assert "By concept" not in html


def test_handing_in_promises_no_more_than_is_shown(signed_in):
    sitting = make_sitting(a_test(explanations_shown="never"))

    html = signed_in(sitting.enrolment.user).post(address("hand_in", sitting), follow=True).content.decode()

    assert "Every option now explains itself" not in html
    assert "Explanations are not shown for this test." in html


# --- at once: an answer that was judged is final ---


@pytest.fixture
def at_once() -> Sitting:
    return make_sitting(a_test(marks_shown="at once", explanations_shown="at once"))


def test_an_answer_is_explained_only_once_it_is_final(at_once, signed_in):
    browser, slot = signed_in(at_once.enrolment.user), slot_of(at_once, "single")
    url = address("question", at_once, slot.position)
    form = {**form_of(browser.get(url)), "choice": place_of(slot, wrong_answer(slot).parts[0])}

    browser.post(url, form)
    saved = browser.get(url).content.decode()
    form["revision"] = "1"
    browser.post(address("question_final", at_once, slot.position), form)
    final = browser.get(url).content.decode()

    assert "Not this one." not in saved
    assert 'class="entry note' not in saved
    assert "Not this one." in final
    assert "0 of 1 mark." in final
    assert final.count('class="entry note') == len(slot.option_order)
    assert '<form method="post" action="' + url not in final
    assert "This answer is final." in final


def test_a_final_answer_can_never_change(at_once):
    slot = slot_of(at_once, "single")
    receipt = finalise(slot, wrong_answer(slot))

    again = finalise(slot, wrong_answer(slot))
    other = finalise(slot, right_answer(slot), revision=1)
    saved = sittings.record_answer(at_once.pk, slot.position, right_answer(slot), 1)
    emptied = sittings.record_answer(at_once.pk, slot.position, None, 1)

    assert isinstance(receipt, Receipt)
    assert again == receipt
    assert [each.reason for each in (other, saved, emptied)] == [RefusalReason.FINAL] * 3
    assert Response.objects.get(slot=slot).given == wrong_answer(slot)
    assert Event.objects.filter(slot=slot, detail__final=True).count() == 1


def test_a_final_answer_is_refused_as_page_and_as_json(at_once, signed_in):
    browser, slot = signed_in(at_once.enrolment.user), slot_of(at_once, "numeric")
    url = address("question", at_once, slot.position)
    finalise(slot, Answer(("77", "77")))

    page = browser.post(url, {"number": "1", "revision": "1"}, follow=True)
    unreadable = browser.post(url, {"number": "one", "revision": "1"}, follow=True)
    script = as_script(browser, url, {"number": "1", "revision": "1"})

    for answer in (page, unreadable):
        assert answer.redirect_chain == [(url, 302)]
        assert "You made this answer final" in answer.content.decode()
    assert (script.status_code, script.json()["reason"]) == (409, "final")


def test_what_cannot_be_read_or_is_left_open_does_not_become_final(at_once, signed_in):
    browser, slot = signed_in(at_once.enrolment.user), slot_of(at_once, "numeric")
    final = address("question_final", at_once, slot.position)

    unreadable = browser.post(final, {"number": "one", "revision": "0"})
    left_open = browser.post(final, {"number": "", "revision": "0"}, follow=True)

    assert unreadable.status_code == 422
    assert "Nothing is answered yet, so nothing became final." in left_open.content.decode()
    assert Response.objects.get(slot=slot).final_at is None


def test_a_test_that_explains_later_makes_no_answer_final(signed_in, sitting, browser):
    final = address("question_final", sitting, 1)

    assert "Make it final" not in browser.get(address("question", sitting, 1)).content.decode()
    assert browser.post(final, {"choice": "1", "revision": "0"}).status_code == 404
    with pytest.raises(ValueError, match="final before hand-in"):
        make_final(sitting.enrolment.user, sitting.pk, 1, Sent({}, 0))


def test_marks_at_once_show_the_mark_alone(signed_in):
    sitting = make_sitting(a_test(marks_shown="at once", explanations_shown="never"))
    slot = slot_of(sitting, "single")
    finalise(slot, right_answer(slot))

    html = signed_in(sitting.enrolment.user).get(address("question", sitting, slot.position)).content.decode()

    assert "1 of 1 mark." in html
    assert 'class="entry note' not in html


def test_a_test_that_no_longer_shows_anything_at_once_judges_no_final_answer(at_once, signed_in):
    slot = slot_of(at_once, "single")
    finalise(slot, right_answer(slot))
    Assignment.objects.update(marks_shown="never", explanations_shown="never")

    html = signed_in(at_once.enrolment.user).get(address("question", at_once, slot.position)).content.decode()

    assert "Answered." in html
    assert "Right." not in html
    assert 'class="entry note' not in html
    assert sittings.record_answer(at_once.pk, slot.position, None, 1).reason is RefusalReason.FINAL


def test_whatever_is_final_counts_like_the_rest(at_once):
    for slot in at_once.slots.select_related("snapshot"):
        finalise(slot, right_answer(slot))

    closed = sittings.hand_in(at_once.pk)

    assert closed.mark == closed.out_of
    assert review_of(closed, EVERYTHING).mark == "9"
