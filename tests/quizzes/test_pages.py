"""Pages of tests as a browser without scripts meets them."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.urls import reverse
from django.utils import timezone

from quizzes import sittings
from quizzes.expressions import parse_expression
from quizzes.models import Response, Sitting
from quizzes.questions import Answer
from tests.factories import (
    make_assignment,
    make_cohort,
    make_enrolment,
    make_instructor,
    make_learner,
    make_sitting,
    make_user,
)
from tests.quizzes.test_sittings import right_answer, slot_of, wrong_answer

pytestmark = pytest.mark.django_db


@pytest.fixture
def sitting() -> Sitting:
    return make_sitting(make_assignment(title="Module test"))


@pytest.fixture
def browser(sitting, signed_in):
    return signed_in(sitting.enrolment.user)


def address(name: str, sitting: Sitting, *more) -> str:
    return reverse(name, args=[sitting.pk, *more])


def form_of(response) -> dict[str, str]:
    """The hidden fields of the answer form, as a browser would post them."""
    html = response.content.decode()
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', html))


def place_of(slot, option_id: str) -> str:
    return str(1 + slot.option_order.index(option_id))


# --- the list and the cover ---


def test_without_a_test_the_list_says_what_will_be_here(signed_in):
    page = signed_in(make_learner()).get(reverse("assignments"))

    assert "No test yet" in page.content.decode()


@pytest.mark.parametrize("state", ["Open", "In progress", "Handed in", "Not yet open", "Closed"])
def test_the_list_says_how_each_test_stands(signed_in, state):
    learner = make_learner()
    cohort = learner.enrolments.get().cohort
    now = timezone.now()
    window = {
        "Not yet open": {"opens_at": now + timedelta(days=1)},
        "Closed": {"closes_at": now - timedelta(days=1)},
    }.get(state, {})
    assignment = make_assignment(cohort, **window)
    if state in ("In progress", "Handed in"):
        opened = make_sitting(assignment, user=learner)
        if state == "Handed in":
            sittings.hand_in(opened.pk)

    html = signed_in(learner).get(reverse("assignments")).content.decode()

    assert f"{state}</span>" in html
    assert ("0 of 5" in html) == (state == "Handed in")


def test_a_test_of_another_cohort_is_neither_listed_nor_found(signed_in):
    foreign = make_assignment(title="Foreign test")
    browser = signed_in(make_learner())

    assert "Foreign test" not in browser.get(reverse("assignments")).content.decode()
    assert browser.get(reverse("assignment", args=[foreign.pk])).status_code == 404
    assert browser.post(reverse("sitting_open", args=[foreign.pk])).status_code == 404


def test_staff_sit_no_test_of_their_own_cohort(signed_in):
    cohort = make_cohort()
    assignment = make_assignment(cohort)

    assert signed_in(make_instructor(cohort)).post(reverse("sitting_open", args=[assignment.pk])).status_code == 404


def test_the_cover_tells_what_is_coming_and_starts_by_a_post(signed_in):
    learner = make_learner()
    assignment = make_assignment(learner.enrolments.get().cohort)
    browser = signed_in(learner)

    html = browser.get(reverse("assignment", args=[assignment.pk])).content.decode()

    assert "5 questions" in html
    assert "One attempt" in html
    assert "There is no time limit" in html
    assert browser.get(reverse("sitting_open", args=[assignment.pk])).status_code == 405
    started = browser.post(reverse("sitting_open", args=[assignment.pk]))
    assert started.url == address("question", Sitting.objects.get(), 1)


def test_continuing_leads_to_the_first_open_question(browser, sitting):
    first = sitting.slots.get(position=1)
    sittings.record_answer(sitting.pk, 1, right_answer(first), 0)

    response = browser.post(reverse("sitting_open", args=[sitting.assignment_id]))

    assert response.url == address("question", sitting, 2)


def test_a_start_that_is_refused_says_why(browser, sitting):
    sittings.hand_in(sitting.pk)

    page = browser.post(reverse("sitting_open", args=[sitting.assignment_id]), follow=True)

    assert "Every attempt at this test has been used." in page.content.decode()


# --- one question ---


def test_a_single_is_native_radios_in_a_fieldset_with_the_question_as_its_legend(browser, sitting):
    slot = slot_of(sitting, "single")
    html = browser.get(address("question", sitting, slot.position)).content.decode()

    assert re.search(r"<fieldset><legend>\s*<h1[^>]*>", html)
    assert len(re.findall(r'<input type="radio" name="choice"', html)) == len(slot.option_order)
    assert f"Question {slot.position} of 5" in html


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
    response = browser.post(address("question", sitting, 5), {"revision": "0"})

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


def as_script(browser, url, fields):
    return browser.post(url, fields, headers={"Accept": "application/json"})


def test_a_script_gets_a_receipt(browser, sitting):
    slot = slot_of(sitting, "numeric")

    with time_machine.travel("2026-12-01 12:04:30+00:00"):
        reply = as_script(browser, address("question", sitting, slot.position), {"revision": "0", "number": "0,5"})

    assert reply.json() == {"receipt": "Saved 12:04, read as 0.5", "revision": 1, "is_answered": True, "answered": 1}


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


# --- handing in ---


def test_the_look_over_says_what_is_open_marked_and_at_stake(browser, sitting):
    sittings.record_answer(sitting.pk, 1, right_answer(sitting.slots.get(position=1)), 0)
    sittings.flag(sitting.pk, 3, flagged=True)

    html = browser.get(address("hand_in", sitting)).content.decode()

    assert "4 of 5 are open" in html
    assert "You can still hand in; open questions earn nothing." in html
    assert "Marked to look at again" in html
    assert "After this no answer can change." in html


def test_handing_in_shows_the_mark_and_the_receipt_and_twice_is_once(browser, sitting):
    for _ in range(2):
        page = browser.post(address("hand_in", sitting), follow=True)

    sitting.refresh_from_db()
    html = page.content.decode()
    assert page.redirect_chain[-1][0] == address("review", sitting)
    assert "<h1>0 of 5</h1>" in html
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


def answer_and_hand_in(sitting):
    """One single right, another wrong, the multi right in part, a number wrong, one question open."""
    slots = list(sitting.slots.select_related("snapshot").order_by("position"))
    singles = [slot for slot in slots if slot.snapshot.question().kind == "single"]
    numeric, multi = slot_of(sitting, "numeric"), slot_of(sitting, "multi")
    wrong = numeric.snapshot.question().task.wrong[0]
    value = f"{parse_expression(wrong.value).number(numeric.variant.parameters):.3f}"
    sittings.record_answer(sitting.pk, singles[0].position, right_answer(singles[0]), 0)
    sittings.record_answer(sitting.pk, singles[1].position, wrong_answer(singles[1]), 0)
    sittings.record_answer(sitting.pk, multi.position, Answer(right_answer(multi).parts[:1]), 0)
    sittings.record_answer(sitting.pk, numeric.position, Answer((value, value)), 0)
    sittings.hand_in(sitting.pk)
    return singles, multi, numeric, value


def test_the_review_explains_every_option_of_every_question(browser, sitting):
    answer_and_hand_in(sitting)

    html = browser.get(address("review", sitting) + "?show=all").content.decode()

    for slot in sitting.slots.select_related("snapshot"):
        task = slot.snapshot.question().task
        for option in getattr(task, "options", ()):
            assert re.sub(r"\W+", " ", option.explanation.why.split("$")[0])[:30].strip() in re.sub(r"\W+", " ", html)
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
    assert "To look at, 4" in first
    assert everything.count('aria-labelledby="q') == odd.count('aria-labelledby="q') == 5


def test_the_review_sums_up_by_concept_and_by_idea(browser, sitting):
    answer_and_hand_in(sitting)

    html = browser.get(address("review", sitting)).content.decode()

    assert "Ideas behind the misses" in html
    assert "By concept" in html
    assert "1.33 of 5" in html
    assert "2 answers missed, 1 answer right in part and 1 question left open." in html


def test_the_review_of_an_open_sitting_is_not_shown(browser, sitting):
    assert browser.get(address("review", sitting)).url == address("hand_in", sitting)


# --- who may see it, and at what cost ---

PAGES = ["question", "question_flag", "hand_in", "review"]


@pytest.mark.parametrize("name", PAGES)
def test_nobody_else_finds_a_sitting(name, sitting, signed_in, client):
    url = address(name, sitting, 1) if name.startswith("question") else address(name, sitting)
    cohort = sitting.assignment.cohort
    for other in (make_learner(cohort), make_user(), make_instructor(cohort), make_instructor()):
        assert signed_in(other).get(url).status_code in (404, 405)
        assert signed_in(other).post(url, {"revision": "0", "flagged": "1"}).status_code in (404, 405)
    assert client.get(url).status_code in (302, 405)
    assert client.post(url).url.startswith(reverse("account_login"))
    sitting.refresh_from_db()
    assert not sitting.is_closed


def test_a_question_beyond_the_paper_is_not_found(browser, sitting):
    assert browser.get(address("question", sitting, 6)).status_code == 404
    assert browser.post(address("question_flag", sitting, 0), {"flagged": "1"}).status_code == 404


def test_a_withdrawn_learner_keeps_the_review_and_cannot_go_on(signed_in):
    sitting = make_sitting(make_assignment(attempts=2))
    sitting.enrolment.withdrawn_at = timezone.now()
    sitting.enrolment.save()
    browser = signed_in(sitting.enrolment.user)

    page = browser.post(address("question", sitting, 1), {"revision": "0", "choice": "1"}, follow=True)
    assert "You have left this cohort" in page.content.decode()
    sittings.hand_in(sitting.pk)
    assert browser.get(address("review", sitting)).status_code == 200
    assert browser.get(reverse("assignment", args=[sitting.assignment_id])).status_code == 200


@pytest.mark.parametrize(
    ("name", "queries"), [("question", 6), ("hand_in", 5), ("assignments", 7), ("assignment", 7), ("review", 5)]
)
def test_a_page_asks_the_database_a_fixed_number_of_times(name, queries, sitting, browser, django_assert_num_queries):
    if name == "review":
        answer_and_hand_in(sitting)
    args = {"question": [sitting.pk, 1], "assignments": [], "assignment": [sitting.assignment_id]}
    url = reverse(name, args=args.get(name, [sitting.pk]))
    browser.get(url)

    with django_assert_num_queries(queries):
        browser.get(url)


def test_the_list_costs_the_same_for_many_tests(sitting, browser, django_assert_num_queries):
    for _ in range(5):
        make_sitting(make_assignment(sitting.assignment.cohort), user=sitting.enrolment.user)
    browser.get(reverse("assignments"))

    with django_assert_num_queries(7):
        browser.get(reverse("assignments"))


def test_saving_costs_a_fixed_number_of_queries(sitting, browser, django_assert_num_queries):
    slot = slot_of(sitting, "single")
    url = address("question", sitting, slot.position)

    with django_assert_num_queries(12):
        as_script(browser, url, {"revision": "0", "choice": "1"})


def test_an_enrolment_in_two_cohorts_lists_each_test_once(signed_in):
    learner = make_learner()
    other = make_enrolment(user=learner).cohort
    make_assignment(learner.enrolments.first().cohort, title="Here")
    make_assignment(other, title="There")

    html = signed_in(learner).get(reverse("assignments")).content.decode()

    assert html.count("Here</span>") == html.count("There</span>") == 1
