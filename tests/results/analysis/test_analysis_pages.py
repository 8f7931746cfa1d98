"""The pages about questions: their figures are those of the answers, kept until other answers come."""

import csv
import io

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseware.accounts.models import Cohort
from courseware.results import analysis_views
from courseware.results.analysis.gathering import analysis_of, stored_analysis
from courseware.results.analysis.report import Analysis
from quizzes import sittings
from quizzes.models import ItemAnalysis, QuestionReport, Sitting
from tests.access.cast import report
from tests.factories import make_assignment, make_cohort, make_instructor, make_learner, make_sitting
from tests.results.crowds import hand_in_all, make_crowd

pytestmark = pytest.mark.django_db


@pytest.fixture
def cohort() -> Cohort:
    return make_cohort()


@pytest.fixture
def page_of(signed_in, cohort):
    browser = signed_in(make_instructor(cohort))

    def page(name: str, *arguments, **query) -> str:
        response = browser.get(reverse(name, args=[cohort.pk, *arguments]), query)
        assert response.status_code == 200
        return " ".join(b"".join(response).decode().split())

    return page


def test_a_test_with_random_draws_is_analysed_over_who_drew_what(cohort, page_of):
    test = make_assignment(cohort, title="Drawn")
    hand_in_all(test, make_crowd(cohort, 40))

    analysis = analysis_of(test)
    page = page_of("cohort_analysis", test.pk)

    assert analysis.is_random
    assert (analysis.learners, sum(analysis.histogram)) == (40, 40)
    assert sum(item.seen for item in analysis.items) == 9 * 40
    assert "Reliability (random draw)" in page
    assert "Luck of the draw" in page
    for item in analysis.items:
        assert (item.upper_lower.number is None) == (item.seen < 20 or item.upper_lower.reason is not None)
        assert f"/{item.question}/" in page


def test_the_same_paper_for_everybody_has_alpha_and_curves(cohort, page_of):
    test = make_assignment(cohort, seed="same")
    hand_in_all(test, make_crowd(cohort, 40), seed="same")
    analysis = analysis_of(test)
    item = max(analysis.items, key=lambda each: each.item_rest.number)

    whole = page_of("cohort_analysis", test.pk)
    one = page_of("cohort_item", test.pk, *item.question.split("/"))

    assert not analysis.is_random
    assert len(analysis.items) == 9
    assert 0 < analysis.reliability.number < 1
    assert "Reliability (alpha)" in whole
    assert "Item-total correlation" in one
    assert 'class="k1"' in one
    assert one.count('<th scope="row"') >= len(item.picks)
    assert sum(pick.count for pick in item.picks) >= 40


def test_what_is_stored_is_read_back_whole_and_made_anew_only_when_somebody_hands_in(cohort, page_of):
    test = make_assignment(cohort)
    learners = make_crowd(cohort, 12)
    hand_in_all(test, learners[:11])
    first = analysis_of(test)

    assert stored_analysis(test) == (first, True)
    assert Analysis.from_json(ItemAnalysis.objects.get().body) == first
    at = ItemAnalysis.objects.get().computed_at
    page_of("cohort_analysis", test.pk)
    assert ItemAnalysis.objects.get().computed_at == at

    hand_in_all(test, learners[11:])
    assert stored_analysis(test) == (None, False)
    assert analysis_of(test).learners == 12
    assert ItemAnalysis.objects.count() == 1

    # Marking anew changes what a sitting adds up to.
    sitting = Sitting.objects.filter(assignment=test, mark__lt=9).first()
    Sitting.objects.filter(pk=sitting.pk).update(mark=sitting.mark + 1)
    assert not stored_analysis(test)[1]


def test_only_first_attempts_that_have_ended_count(cohort):
    test = make_assignment(cohort, attempts=2)
    learner = make_learner(cohort)
    sittings.hand_in(make_sitting(test, user=learner).pk)
    sittings.hand_in(make_sitting(test, user=learner).pk)
    make_sitting(test, user=make_learner(cohort))

    assert analysis_of(test).learners == 1


@pytest.mark.parametrize("count", [0, 1, 2])
def test_hardly_anybody_gives_reasons_in_place_of_figures(cohort, page_of, count):
    test = make_assignment(cohort, seed="same")
    hand_in_all(test, make_crowd(cohort, count), seed="same")

    page = page_of("cohort_analysis", test.pk)
    file = page_of("cohort_analysis_csv", test.pk)

    assert "nan" not in page.lower().replace("instance", "")
    assert "inf" not in file
    assert ("Nothing to analyse yet" in page) == (count == 0)
    assert ("Too few learners: these figures say nothing yet." in page) == (count > 0)
    if count == 1:
        question = analysis_of(test).items[0].question
        assert "Not defined: one learner has no spread" in page_of("cohort_item", test.pk, *question.split("/"))


def test_a_report_stands_beside_the_figures_of_its_question(cohort, page_of):
    test = make_assignment(cohort)
    learner = make_learner(cohort)
    filed = report(learner, sittings.hand_in(make_sitting(test, user=learner).pk))

    page = page_of("cohort_item", test.pk, *filed.question_id.split("/"))

    assert QuestionReport.objects.count() == 1
    assert "What learners reported" in page
    assert "It can be read in two ways." in page


def test_many_papers_are_said_to_be_worked_out_before_they_are(cohort, page_of, monkeypatch):
    monkeypatch.setattr(analysis_views, "SAYS_SO_FROM", 2)
    test = make_assignment(cohort)
    hand_in_all(test, make_crowd(cohort, 2))

    assert "2 papers are read anew" in page_of("cohort_analysis", test.pk)
    assert not ItemAnalysis.objects.exists()
    assert "Question by question" in page_of("cohort_analysis", test.pk, now="")
    assert "Question by question" in page_of("cohort_analysis", test.pk)


def test_the_file_leaves_a_cell_empty_where_a_figure_is_not_defined(cohort, page_of, signed_in):
    test = make_assignment(cohort, seed="same")
    hand_in_all(test, make_crowd(cohort, 3), seed="same")

    browser = signed_in(make_instructor(cohort))
    response = browser.get(reverse("cohort_analysis_csv", args=[cohort.pk, test.pk]))
    text = b"".join(response).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    items = analysis_of(test).items

    assert [row["Question"] for row in rows] == [item.question for item in items]
    assert [row["Upper/lower 27 %"] for row in rows] == [""] * 9
    assert [row["Facility"] for row in rows] == [f"{item.facility:.4f}" for item in items]


def test_more_learners_take_no_more_queries(cohort):
    asked = []
    for count in (5, 50):
        test = make_assignment(cohort)
        hand_in_all(test, make_crowd(make_cohort(), count))
        with CaptureQueriesContext(connection) as queries:
            assert analysis_of(test).learners == count
        asked.append(len(queries))

    assert asked[0] == asked[1]
