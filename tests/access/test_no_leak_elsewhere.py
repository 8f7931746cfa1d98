"""While a test is open, no page of the site explains one of its questions, not only the pages of the test.

What other systems gave away, and the test that looks for it here:

| case | what went wrong elsewhere | test |
|---|---|---|
| B54 keys, explanations, tolerances in a page of an open test | in HTML, JSON, attributes, answers to saves | `tests/quizzes/test_leaks.py::test_no_response_of_an_open_sitting_gives_an_answer_away`, `…::test_no_page_of_an_open_sitting_holds_the_key_of_a_number`; that the search finds them: `…::test_the_same_search_finds_everything_after_hand_in` |
| B54 the same of a self-check | in the card | `tests/quizzes/test_leaks.py::test_a_card_gives_nothing_of_its_self_check_away_before_the_pick` |
| B54 on any other page | a card, a verdict, a list | `test_no_other_page_explains_a_question_of_an_open_sitting`, `test_the_card_of_the_same_concept_explains_its_own_question_alone`, `test_the_search_of_an_open_sitting_visits_every_address_of_tests` |
| B54 to staff | answers of a test that is open | `test_changed_roles.py::test_staff_read_no_answers_of_a_sitting_that_is_open` |
| B54 hidden checks, seeds and tickets of an exercise | in its page | `tests/grader_site/test_verdict_pages.py::test_the_seed_and_the_ticket_never_reach_apage_of`, `tests/deploy/test_judge_image.py::test_image_holds_exercises_and_no_card_bank_or_site` |
| B55 pages of others by id | read | `test_every_address.py::test_reading_is_for_whom_the_table_says`, `…::test_a_guessed_id_is_not_found_and_looks_like_one_that_is_somebody_elses` |
| B55 forms of others by id | written | `test_every_address.py::test_writing_is_for_whom_the_table_says_and_a_refusal_changes_no_row` |
| B55 staff of another course | read and written | `test_every_address.py::test_staff_reach_nothing_of_another_cohort_by_way_of_their_own` |
| B55 an id of another quiz, an option of none | taken | `test_hostile_requests.py::test_an_answer_that_is_none_of_the_options_is_stored_nowhere`; a question has no id of its own, but a place in a sitting |
| B55 roles that changed | the old right | `test_changed_roles.py::test_staff_who_left_see_no_cohort_any_more`, `…::test_an_account_that_was_closed_is_signed_out_at_once_and_loses_every_right` |
"""  # noqa: E501

import pytest
from django.urls import reverse

from quizzes import urls
from tests.access.cast import CONCEPT, arguments, fields, make_cast, read_and_pick
from tests.access.table import NAMES
from tests.factories import make_assignment, make_finished, make_learner, make_sitting
from tests.quizzes.test_leaks import everything_in, explanations, plain, responses_of

pytestmark = pytest.mark.django_db


def _reasons(sitting) -> set[str]:
    """Every explanation of the sitting's questions, as the first piece of text that is long enough to be told."""
    found = set()
    for slot in sitting.slots.select_related("snapshot"):
        for why in explanations(slot.snapshot.question()):
            found |= {plain(piece).strip() for piece in why.replace("[[", "$").replace("]]", "$").split("$")}
    return {piece for piece in found if len(piece) > 30}


def test_no_other_page_explains_a_question_of_an_open_sitting(signed_in):
    cast = make_cast()
    learner = make_learner()
    read_and_pick(learner)  # the self-check explains itself: another question of the same concept
    make_finished(user=learner)
    sitting = make_sitting(make_assignment(), user=learner)
    browser = signed_in(learner)
    reasons = _reasons(sitting)
    assert len(reasons) > 30

    seen = 0
    for name in NAMES:
        for ask in (browser.get, lambda path, name=name: browser.post(path, fields(cast, name))):
            if name in ("account_logout", "account_change_password"):
                continue
            response = ask(reverse(name, args=arguments(cast, name)))
            raw = response.getvalue().decode() if response.streaming else everything_in(response)
            seen += response.status_code == 200
            assert not [reason for reason in reasons if reason in plain(raw)], name
    assert seen > 15
    sitting.refresh_from_db()
    assert not sitting.is_closed


def test_the_card_of_the_same_concept_explains_its_own_question_alone(signed_in):
    learner = make_learner()
    read_and_pick(learner)
    sitting = make_sitting(make_assignment(), user=learner)

    page = plain(signed_in(learner).get(reverse("card", args=[CONCEPT])).content.decode())

    assert "options are explained below" in page
    assert not [reason for reason in _reasons(sitting) if reason in page]


def test_the_search_of_an_open_sitting_visits_every_address_of_tests(signed_in):
    """A new address of a test is searched as well, or this fails."""
    sitting = make_sitting(make_assignment())

    visited = {
        response.resolver_match.url_name for response in responses_of(signed_in(sitting.enrolment.user), sitting)
    }

    addresses = {pattern.name for pattern in urls.urlpatterns}
    assert visited == {name for name in addresses if not name.startswith(("self_check", "practice", "report"))}


def test_the_same_search_finds_the_explanations_in_the_review(signed_in):
    sitting = make_sitting(make_assignment())
    browser = signed_in(sitting.enrolment.user)
    browser.post(reverse("hand_in", args=[sitting.pk]))

    page = plain(browser.get(reverse("review", args=[sitting.pk]), {"show": "all"}).content.decode())

    reasons = _reasons(sitting)
    assert sum(reason in page for reason in reasons) > 0.8 * len(reasons)
