"""The pages of practice, and the ways that lead to them."""

import pytest
from django.urls import reverse

from quizzes import practice, practice_pool, self_checks, sittings
from quizzes.catalogue import current_bank
from quizzes.models import PracticeAnswer
from quizzes.questions import Answer, Pool
from quizzes.snapshots import keep
from tests.factories import make_assignment, make_sitting, make_user
from tests.quizzes.answering import slot_of
from tests.quizzes.courses import edited_course
from tests.quizzes.every_kind import course_of_every_kind
from tests.quizzes.practising import (
    CONCEPT,
    belief_of,
    form_of,
    hand_in_with_an_idea,
    keep_answer,
    of_kind,
    option,
    page_of,
)

pytestmark = pytest.mark.django_db


def test_a_question_is_answered_and_explained_without_scripts(signed_in):
    user, question = make_user(), of_kind("single")
    browser = signed_in(user)
    page = browser.get(page_of(question))
    wrong = next(each for each in question.task.options if not each.is_right)
    place = 1 + practice.variant_for(user, question, 1).option_order.index(wrong.id)

    answer = browser.post(page_of(question), {**form_of(page), "choice": str(place)}, follow=True)

    html = answer.content.decode()
    assert 'class="entry note' not in page.content.decode()
    assert "Not this one." in html
    assert html.count('class="entry note') == len(question.task.options)
    assert "Next question" in html
    kept = PracticeAnswer.objects.get()
    assert answer.redirect_chain == [(reverse("practice_answer", args=[kept.pk]), 302)]
    assert kept.given.parts == (wrong.id,)


def test_every_practice_question_of_the_course_can_be_posed(signed_in):
    browser = signed_in(make_user())

    for question in current_bank().questions.values():
        if question.pool is Pool.PRACTICE:
            page = browser.get(page_of(question))
            assert page.status_code == 200
            assert {"turn", "version"} == set(form_of(page))


def test_an_answer_is_found_by_whoever_gave_it_alone(signed_in):
    user, question = make_user(), of_kind("single")
    kept = practice.keep(user, question, 1, option(question, is_right=True))
    path = reverse("practice_answer", args=[kept.pk])

    assert signed_in(user).get(path).status_code == 200
    assert signed_in(make_user()).get(path).status_code == 404


def test_what_cannot_be_read_or_is_nothing_is_said_and_keeps_nothing(signed_in):
    browser, single, numeric = signed_in(make_user()), of_kind("single"), of_kind("numeric")
    form = form_of(browser.get(page_of(single)))

    no_option = browser.post(page_of(single), {**form, "choice": "99"}, follow=True)
    empty = browser.post(page_of(single), form, follow=True)
    word = browser.post(page_of(numeric), {**form_of(browser.get(page_of(numeric))), "number": "one half"})

    assert "What was sent is not one of the options." in no_option.content.decode()
    assert "Nothing is answered yet." in empty.content.decode()
    assert word.status_code == 422
    assert 'value="one half"' in word.content.decode()
    assert not PracticeAnswer.objects.exists()


def test_a_form_that_is_older_than_the_question_is_shown_the_question_anew(signed_in, tmp_path, settings):
    user, question = make_user(), of_kind("single")
    browser = signed_in(user)
    form = {**form_of(browser.get(page_of(question))), "choice": "1"}

    def edit(bank):
        next(each for each in bank["questions"] if each["id"] == question.slug)["stem"] = "Another stem altogether?"

    settings.COURSE_PATH = edited_course(tmp_path, edit, concept=question.concept_id)
    answer = browser.post(page_of(question), form, follow=True)

    assert "This question has changed since the page was loaded." in answer.content.decode()
    assert not PracticeAnswer.objects.exists()


def test_the_trail_of_a_misconception_is_kept_from_question_to_question(signed_in):
    user = make_user()
    questions = current_bank().questions.values()
    question = next(each for each in questions if each.pool is Pool.PRACTICE and belief_of(each))
    belief = belief_of(question)
    browser = signed_in(user)
    wrong = next(each for each in question.task.options if each.cause and each.cause.id == belief)
    place = 1 + practice.variant_for(user, question, 1).option_order.index(wrong.id)

    page = browser.get(page_of(question, idea=belief))
    answer = browser.post(page_of(question, idea=belief), {**form_of(page), "choice": str(place)}, follow=True)

    assert answer.redirect_chain[0][0].endswith(f"?idea={belief}")
    assert f"?idea={belief}" in answer.content.decode()
    assert "answered in this idea" in answer.content.decode()


def test_what_does_not_exist_is_not_found_and_what_is_in_preparation_says_so(signed_in, tmp_path, settings):
    browser = signed_in(make_user())

    for name, args in (
        ("practice_concept", ["unheard-of"]),
        ("practice_idea", ["m99-unheard-of"]),
        ("practice_question", [CONCEPT, "unheard-of"]),
        ("practice_question", [CONCEPT, "self-check"]),
    ):
        assert browser.get(reverse(name, args=args)).status_code == 404
    settings.COURSE_PATH = course_of_every_kind(tmp_path)
    html = browser.get(reverse("practice_concept", args=["tides"])).content.decode()
    assert "Nothing to practise here yet" in html


def test_an_answer_outlives_its_question_and_its_concept(signed_in):
    user, question = make_user(), of_kind("single")
    kept = practice.keep(user, question, 1, option(question, is_right=False))
    PracticeAnswer.objects.filter(pk=kept.pk).update(concept_id="gone", question_id="gone/one")

    html = signed_in(user).get(reverse("practice_answer", args=[kept.pk])).content.decode()

    assert "Not this one." in html
    assert "This one again" not in html
    assert "Next question" not in html


def test_practice_is_entered_from_the_home_page_a_picked_card_and_a_review(signed_in):
    sitting = make_sitting(make_assignment())
    user = sitting.enrolment.user
    browser = signed_in(user)
    check = current_bank().self_checks[CONCEPT]
    before = browser.get(reverse("card", args=[CONCEPT])).content.decode()
    self_checks.pick(user, CONCEPT, check.task.options[0].id)
    held = hand_in_with_an_idea(sitting)

    card = browser.get(reverse("card", args=[CONCEPT])).content.decode()
    home = browser.get(reverse("home")).content.decode()
    concept_path = reverse("practice_concept", args=[CONCEPT])
    assert concept_path not in before
    assert concept_path in card
    assert reverse("practice") in home
    assert all(reverse("practice_idea", args=[idea]) in home for idea in held)


def test_a_review_leads_from_each_misconception_to_its_practice(signed_in):
    questions = current_bank().questions.values()
    question = next(each for each in questions if each.pool is Pool.PRACTICE and belief_of(each))
    belief = belief_of(question)
    wrong = next(each for each in question.task.options if each.cause and each.cause.id == belief)
    sitting = make_sitting(make_assignment())
    slot = slot_of(sitting, "single")
    slot.snapshot_id = keep([question])[question.id]  # a paper that happens to ask what can be practised as well
    slot.option_order = [each.id for each in question.task.options]
    slot.save()
    sittings.record_answer(sitting.pk, slot.position, Answer((wrong.id,)), 0)
    sittings.hand_in(sitting.pk)

    html = signed_in(sitting.enrolment.user).get(reverse("review", args=[sitting.pk])).content.decode()

    assert html.count(f'href="{reverse("practice_idea", args=[belief])}">Practise this idea</a>') == 2


@pytest.mark.parametrize(
    ("name", "queries"), [("practice", 5), ("practice_concept", 3), ("practice_question", 4), ("practice_answer", 5)]
)
def test_a_page_of_practice_asks_the_database_a_fixed_number_of_times(
    name, queries, signed_in, django_assert_num_queries
):
    user, question = make_user(), of_kind("single")
    kept = keep_answer(user, question, is_right=False)
    for other in practice_pool.of_concept(question.concept_id):
        keep_answer(user, other, is_right=False)
    args = {
        "practice_concept": [question.concept_id],
        "practice_question": [question.concept_id, question.slug],
        "practice_answer": [kept.pk],
    }
    browser, path = signed_in(user), reverse(name, args=args.get(name, []))
    browser.get(path)

    with django_assert_num_queries(queries):
        browser.get(path)
