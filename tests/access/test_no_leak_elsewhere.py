"""While a test is open, no page of the site explains one of its questions, not only the pages of the test."""

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
