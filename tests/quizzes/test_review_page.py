"""Looking over, handing in, and what is explained then."""

import re
from datetime import timedelta

import pytest
import time_machine

from quizzes import sittings
from quizzes.marking import shown
from quizzes.models import Response
from tests.factories import (
    make_assignment,
    make_sitting,
)
from tests.quizzes.answering import answer_and_hand_in, right_answer
from tests.quizzes.browsing import address

pytestmark = pytest.mark.django_db


def test_the_look_over_says_what_is_open_marked_and_at_stake(browser, sitting):
    sittings.record_answer(sitting.pk, 1, right_answer(sitting.slots.get(position=1)), 0)
    sittings.flag(sitting.pk, 3, flagged=True)

    html = browser.get(address("hand_in", sitting)).content.decode()

    assert "8 of 9 are open" in html
    assert "You can still hand in; open questions earn nothing." in html
    assert "Marked to look at again" in html
    assert "After this no answer can change." in html


def test_handing_in_shows_the_mark_and_the_receipt_and_twice_is_once(browser, sitting):
    for _ in range(2):
        page = browser.post(address("hand_in", sitting), follow=True)

    sitting.refresh_from_db()
    html = page.content.decode()
    assert page.redirect_chain[-1][0] == address("review", sitting)
    assert "<h1>0 of 9</h1>" in html
    assert sitting.receipt in html


def test_after_handing_in_every_address_of_the_sitting_leads_to_the_review(browser, sitting):
    sittings.hand_in(sitting.pk)

    for url in (address("question", sitting, 1), address("hand_in", sitting)):
        assert browser.get(url).url == address("review", sitting)
    for fields in ({"choice": "1"}, {"choice": "99"}, {"number": "abc"}, {"flagged": "1"}):
        for name in ("question", "question_flag"):
            late = browser.post(address(name, sitting, 1), {"revision": "0", **fields}, follow=True)
            assert "answers can no longer change" in late.content.decode()


def test_at_the_deadline_the_next_visit_shows_the_result(signed_in):
    sitting = make_sitting(make_assignment(minutes=10))

    with time_machine.travel(sitting.deadline_at + timedelta(minutes=1)):
        page = signed_in(sitting.enrolment.user).get(address("question", sitting, 1), follow=True)

    html = page.content.decode()
    assert page.redirect_chain[-1][0] == address("review", sitting)
    assert "Time was up at" in html
    assert "The 0 answers saved by then were handed in." in html


# --- the review ---


def test_the_review_explains_every_option_of_every_question(browser, sitting):
    answer_and_hand_in(sitting)

    html = browser.get(address("review", sitting) + "?show=all").content.decode()

    text = re.sub(r"\W+", " ", re.sub(r"<[^>]+>", "", html))
    for slot in sitting.slots.select_related("snapshot"):
        task = slot.snapshot.question().task
        for option in getattr(task, "options", ()):
            assert re.sub(r"\W+", " ", option.explanation.why.split("$")[0])[:30].strip() in text
    assert html.count('class="entry note') >= 4 + 4 + 5 + 2 + 2


def test_the_review_shows_the_pick_first_with_its_idea_and_where_to_read_on(browser, sitting):
    singles, _, numeric, value = answer_and_hand_in(sitting)

    html = browser.get(address("review", sitting)).content.decode()

    question = html.partition(f'aria-labelledby="q{singles[1].position}"')[2].partition('aria-labelledby="q')[0]
    assert question.index("Your pick") < question.index("The answer") < question.index("Also offered")
    assert "Not this one." in question
    assert "0 of 1 mark." in question
    assert "/deep/#" in question
    question = html.partition(f'aria-labelledby="q{numeric.position}"')[2].partition('aria-labelledby="q')[0]
    assert f"{value} is the value that goes with" in question
    assert 'class="chip ui"' in question


def test_the_review_lists_what_to_look_at_first_and_all_on_request(browser, sitting):
    singles, *_ = answer_and_hand_in(sitting)

    first = browser.get(address("review", sitting)).content.decode()
    everything = browser.get(address("review", sitting) + "?show=all").content.decode()
    odd = browser.get(address("review", sitting) + "?show=%3Cscript%3E").content.decode()

    assert f'aria-labelledby="q{singles[0].position}"' not in first
    assert "To look at, 8" in first
    assert everything.count('aria-labelledby="q') == odd.count('aria-labelledby="q') == 9


def test_a_number_of_the_review_leads_to_its_question_in_this_list_or_in_that_of_all(browser, sitting):
    singles, *_ = answer_and_hand_in(sitting)
    right, wrong = (slot.position for slot in singles[:2])

    html = browser.get(address("review", sitting)).content.decode()

    assert f'<a class="done" href="?show=all#q{right}" aria-label="Question {right}, right">' in html
    assert f'<a class="" href="#q{wrong}" aria-label="Question {wrong}, to look at">' in html
    assert f'id="q{wrong}"' in html


def test_the_review_sums_up_by_concept_and_by_idea(browser, sitting):
    answer_and_hand_in(sitting)

    html = browser.get(address("review", sitting)).content.decode()

    assert "Ideas behind the misses" in html
    assert "By concept" in html
    assert "1.33 of 9" in html
    assert "2 answers missed, 1 answer right in part and 5 questions left open." in html


def test_the_review_of_an_open_sitting_is_not_shown(browser, sitting):
    assert browser.get(address("review", sitting)).url == address("hand_in", sitting)


def test_a_review_that_was_read_before_says_what_is_stored_now(browser, sitting):
    (slot, *_), *_ = answer_and_hand_in(sitting)
    before = browser.get(address("review", sitting) + "?show=all").content.decode()
    Response.objects.filter(slot=slot).update(mark=slot.marks / 4)
    sitting.slots.filter(pk=slot.pk).update(flagged=True)

    after = browser.get(address("review", sitting) + "?show=all").content.decode()

    part = f"{shown(slot.marks / 4)} of {shown(slot.marks)} mark"
    assert part not in before and part in after
    assert after.count("marked it to look at again") == before.count("marked it to look at again") + 1
