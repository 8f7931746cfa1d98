import re

import pytest
from django.urls import reverse

from quizzes import self_checks
from quizzes.catalogue import current_bank
from quizzes.models import SelfCheckPick
from tests.factories import make_user
from tests.quizzes.courses import edited_course
from tests.quizzes.every_kind import course_of_every_kind

pytestmark = pytest.mark.django_db

CONCEPT = "scaled-dot-product-attention"


def options(is_right: bool) -> list[str]:
    return [each.id for each in current_bank().self_checks[CONCEPT].task.options if each.is_right == is_right]


def form(browser) -> tuple[str, dict[str, str]]:
    page = browser.get(reverse("card", args=[CONCEPT])).content.decode()
    version = re.search(r'name="version" value="([0-9a-f]+)"', page)[1]
    return page, {"version": version}


def test_the_first_pick_is_kept_and_a_second_changes_nothing():
    user = make_user()

    first = self_checks.pick(user, CONCEPT, options(False)[0])
    second = self_checks.pick(user, CONCEPT, options(True)[0])

    assert first == second
    kept = SelfCheckPick.objects.get()
    assert (kept.option_id, kept.is_right, kept.concept_id) == (options(False)[0], False, CONCEPT)
    assert kept.misconception_ids


def test_a_right_pick_is_right_and_accuses_of_nothing():
    kept = self_checks.pick(make_user(), CONCEPT, options(True)[0])

    assert (kept.is_right, kept.misconception_ids) == (True, [])


def test_an_option_that_does_not_exist_keeps_nothing():
    with pytest.raises(ValueError, match="is not an option"):
        self_checks.pick(make_user(), CONCEPT, "made-up")
    with pytest.raises(KeyError):
        self_checks.pick(make_user(), "no-such-concept", "made-up")
    assert not SelfCheckPick.objects.exists()


def test_before_the_pick_there_is_a_form_and_no_explanation():
    check = self_checks.for_card(make_user(), CONCEPT)

    assert not check.is_picked
    assert check.explained is None
    assert len(check.shown.control.options) == 4


def test_after_the_pick_every_option_is_explained_the_picked_one_first():
    user = make_user()
    self_checks.pick(user, CONCEPT, options(False)[0])

    check = self_checks.for_card(user, CONCEPT)

    assert check.is_picked
    assert check.shown is None
    assert [entry.label for entry in check.explained.entries] == [
        "Your pick",
        "The answer",
        "Also offered",
        "Also offered",
    ]


def test_a_concept_without_a_self_check_has_none(tmp_path, settings):
    settings.COURSE_PATH = course_of_every_kind(tmp_path)

    assert self_checks.for_card(make_user(), "tides") is None


def test_a_kept_pick_outlives_an_edit_of_the_question(tmp_path, settings):
    user = make_user()
    self_checks.pick(user, CONCEPT, options(True)[0])
    before = self_checks.for_card(user, CONCEPT)

    def edit(bank):
        bank["self_check"]["stem"] = "Another question altogether?"

    settings.COURSE_PATH = edited_course(tmp_path, edit)

    assert self_checks.for_card(user, CONCEPT) == before
    assert self_checks.for_card(make_user(), CONCEPT).stem.heading == "Another question altogether?"


def test_learners_meet_the_options_in_different_orders():
    orders = {
        tuple(each.html for each in self_checks.for_card(make_user(), CONCEPT).shown.control.options) for _ in range(12)
    }

    assert len(orders) > 1


# --- the page ---


def test_picking_on_the_card_shows_the_verdict_and_every_explanation(signed_in):
    browser = signed_in(make_user())
    _, fields = form(browser)

    response = browser.post(reverse("self_check_pick", args=[CONCEPT]), {**fields, "choice": "1"})

    assert response.url == reverse("card", args=[CONCEPT]) + "#check"
    page = browser.get(reverse("card", args=[CONCEPT])).content.decode()
    assert 'role="status"' in page
    assert "All 4 options are explained below, yours first." in page
    assert page.count('class="entry note') == 4
    assert 'name="choice"' not in page


def test_the_form_that_is_sent_twice_keeps_the_first_pick(signed_in):
    browser = signed_in(make_user())
    _, fields = form(browser)

    for place in ("1", "2"):
        browser.post(reverse("self_check_pick", args=[CONCEPT]), {**fields, "choice": place})

    assert SelfCheckPick.objects.get().option_order[0] == SelfCheckPick.objects.get().option_id


@pytest.mark.parametrize(
    "fields", [{}, {"choice": "9"}, {"choice": "1"}, {"choice": "1", "version": "0" * 16}, {"choice": ["1", "2"]}]
)
def test_what_is_no_pick_of_this_question_keeps_nothing(signed_in, fields):
    browser = signed_in(make_user())

    response = browser.post(reverse("self_check_pick", args=[CONCEPT]), fields)

    assert response.status_code == 302
    assert not SelfCheckPick.objects.exists()


def test_a_pick_needs_a_person_and_a_question_and_a_post(signed_in, client):
    url = reverse("self_check_pick", args=[CONCEPT])

    assert client.post(url).url.startswith(reverse("account_login"))
    assert signed_in(make_user()).get(url).status_code == 405
    assert signed_in(make_user()).post(reverse("self_check_pick", args=["no-such-concept"])).status_code == 404


def test_a_self_check_costs_one_query(django_assert_num_queries):
    user = make_user()
    with django_assert_num_queries(1):
        self_checks.for_card(user, CONCEPT)
    self_checks.pick(user, CONCEPT, options(True)[0])
    self_checks.for_card(user, CONCEPT)  # a question as it was asked is read once in the life of a process
    with django_assert_num_queries(1):
        self_checks.for_card(user, CONCEPT)
