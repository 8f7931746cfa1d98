"""What a cohort believes: each learner once a belief, whatever showed it, and what became of it."""

import csv
import io
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseware.accounts.models import Cohort, KeptFigures
from courseware.concepts.course import current
from courseware.results.beliefs.counting import Sighting, Source, beliefs
from courseware.results.beliefs.figures import belief_map, kept_map
from courseware.study.models import Depth
from courseware.study.readings import note_reading
from quizzes import practice, practice_pool, self_checks
from quizzes.catalogue import current_bank
from quizzes.moments import moment
from tests.access.cast import practise, withdraw
from tests.factories import make_assignment, make_cohort, make_finished, make_instructor, make_learner
from tests.quizzes.answering import right_answer_to, wrong_answer_to
from tests.results.crowds import hand_in_all, make_crowd

MONDAY = datetime(2026, 11, 2, 9, tzinfo=UTC)


def _seen(learner, day=0, belief="m1", source=Source.OPTIONS, where="q"):
    return Sighting(learner, belief, source, MONDAY + timedelta(days=day), where)


def _right(learner, day, belief="m1"):
    return {(learner, belief): MONDAY + timedelta(days=day)}


# --- counting ---


def test_a_learner_counts_once_however_it_showed_and_the_most_widely_held_comes_first():
    found = beliefs(
        [
            _seen(1), _seen(1, 1, source=Source.PROGRAMS, where="attention"), _seen(2, 2, source=Source.NUMBERS),
            _seen(1, belief="m2"),
        ],
        {}, {}, {},
    )  # fmt: skip
    found = [each.figures(UTC) for each in found]

    assert [(each.id, each.learners) for each in found] == [("m1", 2), ("m2", 1)]
    assert found[0].by_source == {Source.OPTIONS: 1, Source.NUMBERS: 1, Source.PROGRAMS: 1}
    assert found[0].by_place == (("q", 2), ("attention", 1))


@pytest.mark.parametrize(
    ("right_on", "is_gone"), [(None, False), (1, False), (3, True)], ids=["never", "before it showed again", "since"]
)
def test_it_has_gone_only_when_the_last_word_was_right(right_on, is_gone):
    righted = {} if right_on is None else _right(1, right_on)

    (found,) = beliefs([_seen(1, 0), _seen(1, 2)], righted, {}, {})

    found = found.figures(UTC)
    assert (found.gone, found.still) == (int(is_gone), int(not is_gone))


@pytest.mark.parametrize(("read_on", "counts"), [(1, 0), (3, 1)])
def test_reading_helped_only_if_it_came_after_the_belief_last_showed(read_on, counts):
    readings = {(1, "scaling"): MONDAY + timedelta(days=read_on)}

    (found,) = beliefs([_seen(1, 2)], _right(1, 5), readings, {"m1": "scaling"})
    found = found.figures(UTC)

    assert (found.gone, found.gone_after_reading) == (1, counts)


def test_weeks_count_the_first_showing_and_have_no_gap():
    (found,) = beliefs([_seen(1, 0), _seen(1, 20), _seen(2, 15)], {}, {}, {})

    assert [(week.begins.day, week.learners) for week in found.figures(UTC).weeks] == [(2, 1), (9, 0), (16, 1)]


# --- gathering ---


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort(time_zone="Europe/Vienna")


@pytest.fixture
def browser(signed_in, cohort):
    return signed_in(make_instructor(cohort))


def _text(response) -> str:
    return " ".join(response.content.decode().split())


@pytest.mark.django_db
def test_practice_self_checks_and_programs_all_show_beliefs(cohort):
    learner = make_learner(cohort)
    in_practice = practise(learner).misconception_ids[0]
    options = current_bank().self_checks["self-attention"].task.options
    wrong = next(each for each in options if each.cause and not each.cause.is_slip)
    self_checks.pick(learner, "self-attention", wrong.id)
    make_finished(user=learner, misconception_ids=["m03-softmax-columns"])
    make_finished(user=learner, kind="run", mark=None, misconception_ids=["m03-exact-zero"])

    found = {each.id: each for each in belief_map(cohort).beliefs}

    assert {in_practice, wrong.cause.id, "m03-softmax-columns"} == set(found)
    assert found["m03-softmax-columns"].by_source[Source.PROGRAMS] == 1


@pytest.mark.django_db
def test_every_kind_of_question_is_counted_under_its_own_name(cohort):
    learner = make_learner(cohort)
    expected = {"numeric": Source.NUMBERS, "matrix": Source.MATRICES, "short": Source.TERMS, "single": Source.OPTIONS}
    shown = {}
    for question in current_bank().questions.values():
        if question.kind not in expected or question.kind in shown or question.pool != "practice":
            continue
        posed = practice.pose(learner, question)
        answer = wrong_answer_to(question, practice.variant_for(learner, question, number=posed.number))
        kept = practice.keep(learner, question, posed.number, answer)
        known = [each for each in kept.misconception_ids if each in current().misconceptions]
        if known:
            shown[question.kind] = known[0]

    found = {each.id: each for each in belief_map(cohort).beliefs}

    assert len(shown) >= 3
    for kind, belief in shown.items():
        assert expected[kind] in found[belief].by_source


@pytest.mark.django_db
def test_a_later_right_answer_to_what_could_show_it_makes_it_gone(cohort):
    learner = make_learner(cohort)
    belief = practise(learner).misconception_ids[0]
    assert belief_map(cohort).belief(belief).still == 1
    note_reading(learner, "transformers", current().misconceptions[belief].see_concept, Depth.DEEP)

    question = practice_pool.of_idea(belief)[0]
    number = practice.pose(learner, question).number
    answer = right_answer_to(question, practice.variant_for(learner, question, number=number))
    practice.keep(learner, question, number, answer)

    found = belief_map(cohort).belief(belief)
    assert (found.gone, found.gone_after_reading) == (1, 1)


@pytest.mark.django_db
def test_those_of_other_cohorts_and_those_who_left_are_not_counted(cohort):
    practise(make_learner(make_cohort()))
    left = make_learner(cohort)
    practise(left)
    withdraw(left, cohort)

    assert belief_map(cohort).beliefs == ()


# --- pages and file ---


@pytest.mark.django_db
def test_names_stand_on_their_own_page_only(cohort, browser):
    learner = make_learner(cohort)
    belief = practise(learner).misconception_ids[0]
    label = current().misconceptions[belief].label

    listed = _text(browser.get(reverse("cohort_beliefs", args=[cohort.pk])))
    one = _text(browser.get(reverse("cohort_belief", args=[cohort.pk, belief])))
    who = _text(browser.get(reverse("cohort_belief_learners", args=[cohort.pk, belief])))

    assert "1 of 1 learners. Seen in options 1." in listed
    assert label in listed
    assert current().place(current().misconceptions[belief]).section_title in one
    assert learner.name not in listed + one
    assert learner.name in who
    assert "1 still holds it" in who


@pytest.mark.django_db
def test_filters_keep_what_they_say(cohort, browser):
    practise(make_learner(cohort))
    make_finished(user=make_learner(cohort), misconception_ids=["m03-softmax-columns"], finished_at=MONDAY)
    path = reverse("cohort_beliefs", args=[cohort.pk])

    programs, lately = _text(browser.get(path, {"in": "programs"})), _text(browser.get(path, {"since": "7"}))

    assert programs.count('class="entry belief"') == lately.count('class="entry belief"') == 1
    assert "m03-softmax-columns" in programs
    assert "m03-softmax-columns" not in lately
    assert browser.get(path, {"in": "x", "since": "-1"}).status_code == 200


@pytest.mark.django_db
def test_the_file_names_nobody_and_tells_no_group_under_five_apart(cohort, browser):
    for number in range(6):
        learner = make_learner(cohort)
        make_finished(user=learner, misconception_ids=["m03-softmax-columns"])
        if number < 4:
            make_finished(user=learner, misconception_ids=["m03-divide-by-dk"])

    response = browser.get(reverse("cohort_beliefs_csv", args=[cohort.pk]))
    text = b"".join(response).decode("utf-8-sig")
    rows = {row["Id"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}

    assert rows["m03-softmax-columns"]["Learners"] == rows["m03-softmax-columns"]["In programs"] == "6"
    assert rows["m03-divide-by-dk"]["Learners"] == "fewer than 5"
    assert "Person" not in text
    assert "@" not in text


@pytest.mark.django_db
def test_more_learners_take_no_more_queries():
    asked = []
    for count in (5, 30):
        cohort = make_cohort()
        hand_in_all(make_assignment(cohort), make_crowd(cohort, count))
        with CaptureQueriesContext(connection) as queries:
            assert belief_map(cohort).beliefs
        asked.append(len(queries))

    assert asked[0] == asked[1]


# --- kept ---


@pytest.mark.django_db
def test_what_was_counted_is_kept_until_something_that_counts_changes(cohort):
    learner, other = make_learner(cohort), make_learner(cohort)
    test = make_assignment(cohort)
    practise(learner)
    right = next(each for each in current_bank().self_checks["self-attention"].task.options if each.is_right)
    changes = [
        lambda: practise(other),
        lambda: self_checks.pick(other, "self-attention", right.id),
        lambda: make_finished(user=other, misconception_ids=["m03-softmax-columns"]),
        lambda: hand_in_all(test, [other.enrolments.get()]),
        lambda: withdraw(other, cohort),
        lambda: Cohort.objects.filter(pk=cohort.pk).update(time_zone="Asia/Tokyo"),
    ]
    first = belief_map(cohort)
    assert belief_map(cohort) == first
    for change in changes:
        change()
        cohort.refresh_from_db()
        assert kept_map(cohort) is None
        assert belief_map(cohort) == kept_map(cohort)
    # What was read meanwhile says nothing about who believes what.
    note_reading(learner, "transformers", "self-attention", Depth.DEEP)
    assert kept_map(cohort)
    assert KeptFigures.objects.count() == 1


@pytest.mark.django_db
def test_a_kept_map_is_shown_with_its_moment_and_without_reading_an_answer(cohort, browser):
    practise(make_learner(cohort))
    path = reverse("cohort_beliefs", args=[cohort.pk])
    browser.get(path)

    with CaptureQueriesContext(connection) as queries:
        again = _text(browser.get(path))

    assert "1 of 1 learners. Seen in options 1." in again
    assert f"As of {moment(KeptFigures.objects.get().computed_at, cohort.zone)}." in again
    assert not [query for query in queries if "quizzes_response" in query["sql"] or "misconception_ids" in query["sql"]]


@pytest.mark.django_db
def test_a_large_cohort_is_told_that_counting_takes_a_moment(cohort, browser):
    make_crowd(cohort, 500)
    path = reverse("cohort_beliefs", args=[cohort.pk])

    first = browser.get(path, {"in": "programs"}).content.decode()

    assert "Working it out" in first
    assert f'content="0; url={path}?in=programs&amp;now=1"' in first
    assert "What they believe" in _text(browser.get(f"{path}?in=programs&now=1"))
    assert "What they believe" in _text(browser.get(path, {"in": "programs"}))
