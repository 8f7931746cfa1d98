"""The page of one question, with and without a script."""

import re

import pytest
import time_machine

from quizzes import sittings
from quizzes.models import Response
from tests.factories import (
    make_assignment,
    make_cohort,
    make_sitting,
)
from tests.quizzes.answering import right_answer, slot_of, wrong_answer
from tests.quizzes.browsing import address, as_script, form_of, place_of

pytestmark = pytest.mark.django_db


def test_a_single_is_native_radios_in_a_fieldset_with_the_question_as_its_legend(browser, sitting):
    slot = slot_of(sitting, "single")
    html = browser.get(address("question", sitting, slot.position)).content.decode()

    assert re.search(r"<fieldset[^>]*><legend>\s*<h1[^>]*>", html)
    assert len(re.findall(r'<input type="radio" name="choice"', html)) == len(slot.option_order)
    assert f"Question {slot.position} of 9" in html


def test_a_multi_is_checkboxes_and_states_how_it_is_marked(browser, sitting):
    html = browser.get(address("question", sitting, slot_of(sitting, "multi").position)).content.decode()

    assert html.count('<input type="checkbox" name="choice"') == 5
    assert "A wrong tick is taken off a right one" in html


def test_a_numeric_is_a_text_field_for_decimals(browser, sitting):
    html = browser.get(address("question", sitting, slot_of(sitting, "numeric").position)).content.decode()

    assert 'inputmode="decimal"' in html
    assert 'type="number"' not in html


def test_saving_goes_on_to_the_next_question_which_shows_the_receipt(browser, sitting):
    slot = sitting.slots.get(position=1)
    page = browser.get(address("question", sitting, 1))
    answer = right_answer(slot)
    fields = (
        {"choice": [place_of(slot, part) for part in answer.parts]}
        if slot.option_order
        else {"number": answer.parts[0]}
    )

    with time_machine.travel("2026-12-01 12:04:30+00:00"):
        following = browser.post(address("question", sitting, 1), {**form_of(page), **fields}, follow=True)

    assert following.redirect_chain == [(address("question", sitting, 2) + "?left=1", 302)]
    html = following.content.decode()
    assert "Question 1 saved 12:04" in html
    assert '<a class="done" href="' + address("question", sitting, 1) in html
    assert Response.objects.get(slot=slot).given == answer


def test_times_are_those_of_the_cohort(signed_in):
    sitting = make_sitting(make_assignment(make_cohort(time_zone="Asia/Tokyo")))
    with time_machine.travel("2026-12-01 12:04:30+00:00"):
        sittings.record_answer(sitting.pk, 1, right_answer(sitting.slots.get(position=1)), 0)

    html = signed_in(sitting.enrolment.user).get(address("question", sitting, 1)).content.decode()

    assert "Saved 21:04" in html


def test_after_the_last_question_comes_the_look_over(browser, sitting):
    response = browser.post(address("question", sitting, 9), {"revision": "0"})

    assert response.url == address("hand_in", sitting)


def test_a_number_that_cannot_be_read_is_no_answer_and_stays_in_the_field(browser, sitting):
    slot = slot_of(sitting, "numeric")

    page = browser.post(address("question", sitting, slot.position), {"revision": "0", "number": "1,000"})

    html = page.content.decode()
    assert page.status_code == 422
    assert 'value="1,000"' in html
    assert "1,000 can be read as 1 or as 1000. Write 1.000 or 1000." in html
    assert 'aria-invalid="true"' in html
    assert Response.objects.get(slot=slot).revision == 0


def test_a_typed_text_is_escaped(browser, sitting):
    slot = slot_of(sitting, "numeric")
    typed = '"><script>alert(1)</script>'

    html = browser.post(
        address("question", sitting, slot.position), {"revision": "0", "number": typed}
    ).content.decode()

    assert "<script>alert" not in html


def test_an_older_page_gets_both_versions_to_choose_from(browser, sitting):
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)
    sent = {"revision": "0", "choice": place_of(slot, wrong_answer(slot).parts[0])}

    page = browser.post(address("question", sitting, slot.position), sent)

    assert page.status_code == 409
    html = page.content.decode()
    assert "Two versions." in html
    assert f'value="{sent["choice"]}" checked' in html
    assert Response.objects.get(slot=slot).given == right_answer(slot)

    browser.post(address("question", sitting, slot.position), {**form_of(page), "choice": sent["choice"]})
    assert Response.objects.get(slot=slot).given == wrong_answer(slot)


def test_marking_to_look_at_again_saves_the_pick_that_came_along(browser, sitting):
    slot = slot_of(sitting, "single")
    pick = place_of(slot, right_answer(slot).parts[0])

    page = browser.post(
        address("question_flag", sitting, slot.position), {"revision": "0", "choice": pick, "flagged": "1"}, follow=True
    )

    html = page.content.decode()
    assert "Take the mark away" in html
    assert f'aria-label="Question {slot.position}, answered, marked"' in html


def test_a_page_is_never_kept_by_the_browser(browser, sitting):
    """Back must show what the server holds: a kept page would come with an old revision."""
    response = browser.get(address("question", sitting, 1))

    assert "no-store" in response.headers["Cache-Control"]


# --- what a script is told ---


def test_a_script_gets_a_receipt(browser, sitting):
    slot = slot_of(sitting, "numeric")

    with time_machine.travel("2026-12-01 12:04:30+00:00"):
        reply = as_script(browser, address("question", sitting, slot.position), {"revision": "0", "number": "0,5"})

    assert reply.json() == {
        "receipt": "Saved 12:04, read as 0.5", "revision": 1, "is_answered": True,
        "is_closed": False, "seconds_left": None, "closes": None,
    }  # fmt: skip


def test_a_script_is_told_why_nothing_was_saved(browser, sitting):
    slot = slot_of(sitting, "numeric")
    url = address("question", sitting, slot.position)

    unreadable = as_script(browser, url, {"revision": "0", "number": "abc"})
    as_script(browser, url, {"revision": "0", "number": "1"})
    stale = as_script(browser, url, {"revision": "0", "number": "2"})
    sittings.hand_in(sitting.pk)
    closed = as_script(browser, url, {"revision": "1", "number": "2"})

    assert [reply.status_code for reply in (unreadable, stale, closed)] == [422, 409, 409]
    assert [reply.json()["reason"] for reply in (unreadable, stale, closed)] == ["unreadable", "stale", "closed"]
    assert stale.json()["revision"] == 1
