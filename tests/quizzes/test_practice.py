"""Practising: what comes next, which variant it is, what is kept and what is said."""

import json
import re
from datetime import timedelta

import pytest
import time_machine
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import timezone

from courseware.concepts.course import current
from quizzes import practice, practice_lists, practice_pool, self_checks, sittings
from quizzes.catalogue import current_bank
from quizzes.models import PracticeAnswer, Response
from quizzes.practice import ANSWERS_PER_MINUTE
from quizzes.questions import Answer, Pool
from quizzes.snapshots import keep
from tests.factories import make_assignment, make_sitting, make_user
from tests.quizzes.answering import answer_and_hand_in, right_answer_to, slot_of, wrong_answer_to
from tests.quizzes.courses import edited_course
from tests.quizzes.making import make_question

pytestmark = pytest.mark.django_db

CONCEPT = "scaled-dot-product-attention"


def of_kind(kind: str):
    return next(each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE and each.kind == kind)


def option(question, *, is_right: bool) -> Answer:
    return Answer((next(each.id for each in question.task.options if each.is_right == is_right),))


def page_of(question, **query) -> str:
    return reverse("practice_question", args=[question.concept_id, question.slug], query=query or None)


def form_of(response) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(turn|version)" value="([^"]*)">', response.content.decode()))


# --- variants ---


def test_every_variant_of_a_family_comes_once_before_one_comes_again():
    family = make_question("numeric")
    count = practice_pool.variant_count(family)

    met = [practice_pool.variant(family, seed="ada", number=number).parameters for number in range(1, 2 * count + 1)]

    assert count == 7
    assert len({json.dumps(each) for each in met[:count]}) == count
    assert met[count:] == met[:count]


def test_learners_meet_the_variants_in_different_orders_and_always_in_the_same():
    family = make_question("numeric")
    orders = {
        seed: [practice_pool.variant(family, seed=seed, number=number).parameters for number in range(1, 8)]
        for seed in ("ada", "alan", "grace")
    }

    assert len({json.dumps(each) for each in orders.values()}) == 3
    assert orders["ada"] == [
        practice_pool.variant(family, seed="ada", number=number).parameters for number in range(1, 8)
    ]


@pytest.mark.parametrize(
    ("kind", "number", "said"),
    [
        ("numeric", 1, "Variant 1 of 7."),
        ("numeric", 7, "Variant 7 of 7."),
        ("numeric", 8, "You have seen all 7 variants; they start again."),
        ("numeric", 9, "Variant 2 of 7, which you have seen before."),
        ("numeric", 15, "You have seen all 7 variants; they start again."),
        ("single", 1, ""),
        ("single", 2, "You have answered this question before; it has one variant."),
    ],
)
def test_a_learner_is_told_which_variant_it_is_and_when_they_repeat(kind, number, said):
    assert practice_pool.counted(make_question(kind), number) == said


def test_the_options_of_a_question_that_comes_again_stand_in_another_order():
    question = make_question("multi")

    orders = {practice_pool.variant(question, seed="ada", number=number).option_order for number in range(1, 9)}

    assert len(orders) > 1


# --- what can be practised ---


def test_only_the_practice_pool_is_practised():
    for concept in current().module.concepts:
        assert all(each.pool is Pool.PRACTICE for each in practice_pool.of_concept(concept.id))
    test_question = next(each for each in current_bank().questions.values() if each.pool is Pool.TEST)
    assert practice_pool.question(test_question.id) is None


def test_a_misconception_is_practised_by_the_questions_in_which_it_leads_astray():
    question = of_kind("single")
    causes = {each.cause.id for each in question.task.options if each.cause and not each.cause.is_slip}

    assert causes
    for cause in causes:
        found = practice_pool.of_idea(cause)
        assert question in found
        assert all(f'"{cause}"' in json.dumps(_frozen(each)) for each in found)
    assert practice_pool.of_idea("m99-unheard-of") == ()


def _frozen(question):
    from quizzes.registry import kind_of

    return kind_of(question.kind).freeze(question.task)


def test_what_is_new_comes_first_then_what_went_wrong_and_nothing_twice_in_a_row():
    user = make_user()
    pool = practice_pool.of_concept(CONCEPT)
    assert len(pool) >= 3
    singles = [each for each in pool if each.kind == "single"]
    order = []
    for _ in range(len(pool)):
        following = practice_lists.of_concept(user, CONCEPT).next
        order.append(following)
        wrong = following == singles[0]
        _keep(user, following, is_right=not wrong)

    after = practice_lists.of_concept(user, CONCEPT).next

    assert order == list(pool)
    assert after == (singles[0] if order[-1] != singles[0] else pool[0])
    _keep(user, after, is_right=False)
    assert practice_lists.of_concept(user, CONCEPT).next != after


def _keep(user, question, *, is_right: bool) -> PracticeAnswer:
    number = practice.pose(user, question).number
    give = right_answer_to if is_right else wrong_answer_to
    answer = give(question, practice.variant_for(user, question, number))
    return practice.keep(user, question, number, answer)


def test_progress_counts_questions_and_not_answers():
    user, question = make_user(), of_kind("single")
    for _ in range(2):
        _keep(user, question, is_right=False)

    found = practice_lists.of_concept(user, question.concept_id)

    assert found.progress.answered == 1
    assert practice_lists.progress_in(user, question.concept_id) == found.progress
    assert practice_lists.progress_in(make_user(), question.concept_id).answered == 0


# --- what is kept ---


def test_an_answer_is_kept_with_all_that_it_takes_to_read_it_later():
    user, question = make_user(), of_kind("single")
    wrong = option(question, is_right=False)

    kept = practice.keep(user, question, 1, wrong)
    kept.refresh_from_db()

    assert (kept.user, kept.question_id, kept.concept_id, kept.number) == (user, question.id, question.concept_id, 1)
    assert kept.snapshot.question() == question
    assert kept.variant == practice.variant_for(user, question, 1)
    assert (kept.given, kept.fraction, kept.is_right) == (wrong, 0, False)
    cause = next(each.cause for each in question.task.options if each.id == wrong.parts[0])
    assert kept.misconception_ids == ([cause.id] if cause else [])


def test_the_same_form_sent_twice_is_one_answer():
    user, question = make_user(), of_kind("single")

    first = practice.keep(user, question, 1, option(question, is_right=False))
    second = practice.keep(user, question, 1, option(question, is_right=True))

    assert first == second
    assert PracticeAnswer.objects.count() == 1
    with pytest.raises(ValueError, match="not number 3"):
        practice.keep(user, question, 3, option(question, is_right=True))
    with transaction.atomic(), pytest.raises(IntegrityError):
        PracticeAnswer.objects.filter(pk=first.pk).update(number=0)


def test_very_many_answers_within_a_minute_are_not_kept():
    user, question = make_user(), of_kind("single")
    kept = practice.keep(user, question, 1, option(question, is_right=True))
    rows = [PracticeAnswer(**_fields(kept), number=number) for number in range(2, ANSWERS_PER_MINUTE + 1)]
    PracticeAnswer.objects.bulk_create(rows)

    refused = practice.keep(user, question, ANSWERS_PER_MINUTE + 1, option(question, is_right=True))
    with time_machine.travel(timezone.now() + timedelta(minutes=2)):
        later = practice.keep(user, question, ANSWERS_PER_MINUTE + 1, option(question, is_right=True))

    assert refused is None
    assert later is not None


def _fields(answer: PracticeAnswer) -> dict:
    names = ("user", "snapshot", "question_id", "concept_id", "parameters", "option_order", "answer", "fraction")
    return {name: getattr(answer, name) for name in names}


def test_practice_never_touches_a_mark(signed_in):
    sitting = make_sitting(make_assignment())
    answer_and_hand_in(sitting)
    sitting.refresh_from_db()
    before = sitting.mark

    for question in practice_pool.of_concept(CONCEPT):
        _keep(sitting.enrolment.user, question, is_right=False)

    sitting.refresh_from_db()
    assert sitting.mark == before
    assert "1.33 of 9" in signed_in(sitting.enrolment.user).get(reverse("home")).content.decode()


# --- ideas that somebody was told of ---


def test_an_idea_that_showed_in_a_self_check_or_in_practice_is_offered():
    user, other = make_user(), make_user()
    question = next(each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE and _belief(each))
    belief = _belief(question)
    wrong = next(each for each in question.task.options if each.cause and each.cause.id == belief)
    practice.keep(user, question, 1, Answer((wrong.id,)))
    for check in current_bank().self_checks.values():
        picked = next(each for each in check.task.options if not each.is_right)
        self_checks.pick(other, check.concept_id, picked.id)

    offered = [line.idea.id for line in practice_lists.overview_of(user).ideas]
    picks = {line.idea.id for line in practice_lists.overview_of(other).ideas}

    assert offered == [belief]
    assert picks == {
        each
        for pick in other.self_check_picks.all()
        for each in pick.misconception_ids
        if each.startswith("m") and practice_pool.of_idea(each)
    }


def _belief(question) -> str | None:
    options = getattr(question.task, "options", ())
    return next((each.cause.id for each in options if getattr(each, "cause", None) and not each.cause.is_slip), None)


@pytest.mark.parametrize(
    ("explanations", "offered"), [("at hand-in", True), ("after closing", False), ("never", False)]
)
def test_an_idea_of_a_test_is_offered_only_once_the_test_explains_it(explanations, offered):
    closes_at = timezone.now() + timedelta(hours=1)
    sitting = make_sitting(make_assignment(explanations_shown=explanations, closes_at=closes_at))
    user = sitting.enrolment.user
    held = _handed_in_with_an_idea(sitting)

    assert ({line.idea.id for line in practice_lists.overview_of(user).ideas} == held) == offered
    with time_machine.travel(closes_at + timedelta(seconds=1)):
        later = {line.idea.id for line in practice_lists.overview_of(user).ideas}
    assert later == (set() if explanations == "never" else held)


def _handed_in_with_an_idea(sitting) -> set[str]:
    """Hand in, and let one answer show a misconception that can be practised; which those are is the course's."""
    idea = next(each for each in current().misconceptions if practice_pool.of_idea(each))
    sittings.hand_in(sitting.pk)
    Response.objects.filter(slot__sitting=sitting, slot__position=1).update(misconception_ids=[idea])
    return {idea}


# --- the pages ---


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

    settings.COURSE_PATH = edited_course(tmp_path, edit)
    answer = browser.post(page_of(question), form, follow=True)

    assert "This question has changed since the page was loaded." in answer.content.decode()
    assert not PracticeAnswer.objects.exists()


def test_the_trail_of_a_misconception_is_kept_from_question_to_question(signed_in):
    user = make_user()
    question = next(each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE and _belief(each))
    belief = _belief(question)
    browser = signed_in(user)
    wrong = next(each for each in question.task.options if each.cause and each.cause.id == belief)
    place = 1 + practice.variant_for(user, question, 1).option_order.index(wrong.id)

    page = browser.get(page_of(question, idea=belief))
    answer = browser.post(page_of(question, idea=belief), {**form_of(page), "choice": str(place)}, follow=True)

    assert answer.redirect_chain[0][0].endswith(f"?idea={belief}")
    assert f"?idea={belief}" in answer.content.decode()
    assert "answered in this idea" in answer.content.decode()


def test_what_does_not_exist_is_not_found_and_what_is_in_preparation_says_so(signed_in):
    browser = signed_in(make_user())

    for name, args in (
        ("practice_concept", ["unheard-of"]),
        ("practice_idea", ["m99-unheard-of"]),
        ("practice_question", [CONCEPT, "unheard-of"]),
        ("practice_question", [CONCEPT, "self-check"]),
    ):
        assert browser.get(reverse(name, args=args)).status_code == 404
    html = browser.get(reverse("practice_concept", args=["flash-attention"])).content.decode()
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
    held = _handed_in_with_an_idea(sitting)

    card = browser.get(reverse("card", args=[CONCEPT])).content.decode()
    home = browser.get(reverse("home")).content.decode()
    concept_path = reverse("practice_concept", args=[CONCEPT])
    assert concept_path not in before
    assert concept_path in card
    assert reverse("practice") in home
    assert all(reverse("practice_idea", args=[idea]) in home for idea in held)


def test_a_review_leads_from_each_misconception_to_its_practice(signed_in):
    question = next(each for each in current_bank().questions.values() if each.pool is Pool.PRACTICE and _belief(each))
    belief = _belief(question)
    wrong = next(each for each in question.task.options if each.cause and each.cause.id == belief)
    sitting = make_sitting(make_assignment())
    slot = slot_of(sitting, "single")
    slot.snapshot = keep([question])[question.id]  # a paper that happens to ask what can be practised as well
    slot.option_order = [each.id for each in question.task.options]
    slot.save()
    sittings.record_answer(sitting.pk, slot.position, Answer((wrong.id,)), 0)
    sittings.hand_in(sitting.pk)

    html = signed_in(sitting.enrolment.user).get(reverse("review", args=[sitting.pk])).content.decode()

    assert html.count(f'href="{reverse("practice_idea", args=[belief])}">Practise this idea</a>') == 2


@pytest.mark.parametrize(
    ("name", "queries"), [("practice", 7), ("practice_concept", 4), ("practice_question", 5), ("practice_answer", 6)]
)
def test_a_page_of_practice_asks_the_database_a_fixed_number_of_times(
    name, queries, signed_in, django_assert_num_queries
):
    user, question = make_user(), of_kind("single")
    kept = _keep(user, question, is_right=False)
    for other in practice_pool.of_concept(question.concept_id):
        _keep(user, other, is_right=False)
    args = {
        "practice_concept": [question.concept_id],
        "practice_question": [question.concept_id, question.slug],
        "practice_answer": [kept.pk],
    }
    browser, path = signed_in(user), reverse(name, args=args.get(name, []))
    browser.get(path)

    with django_assert_num_queries(queries):
        browser.get(path)
