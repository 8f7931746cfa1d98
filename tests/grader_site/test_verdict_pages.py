"""A verdict on its page: diagnosis first, everything measured, nothing that a stranger wrote taken for HTML."""

from datetime import timedelta

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from courseware.concepts.course import Place, current
from grader.costs import Cost
from grader.dispatching import dispatch
from grader.drafts import current_draft, save_draft
from grader.explaining import Belief
from grader.models import Kind, Submission
from grader.sandbox.limits import Limits
from grader.submissions import record_verdict
from grader.verdicts import (
    Counterexample,
    Diagnosis,
    ErrorReport,
    GivenMatrix,
    Outcome,
    Step,
    Verdict,
    Weights,
    Wording,
)
from tests.factories import make_judge, make_submission
from tests.grader_site.answers import check_report, graded, operator_verdict, page_of, right_verdict, verdict_note

pytestmark = pytest.mark.django_db


def _diagnosed(**fields) -> Verdict:
    values = {
        "outcome": Outcome.WRONG,
        "sentence": "1 of 3 checks holds.",
        "checks": (
            check_report("sums", title="Each row adds up to 1"),
            check_report("values", holds=False, title="The values are right", expected="1.00", got="1.71",
                         largest_difference=0.71, tried_with="4 queries, 5 keys", hint="Look along which axis."),
            check_report("hull", holds=False, title="Stays in range"),
        ),
        "diagnosis": Diagnosis(
            Wording.EXACT, "m03-softmax-columns", "It behaves exactly like softmax over the queries.",
            "Each query has a budget of 1.", "Two draws agree to nine decimals.",
        ),
        "marks_fraction": "0.1000",
        "seconds": 1.84,
    }  # fmt: skip
    return Verdict(**(values | fields))


def test_the_diagnosis_comes_first_and_leads_to_the_section_that_sets_it_right(client, learner, broker):
    page = page_of(client, graded(learner, broker, _diagnosed()))

    assert page.index("It behaves exactly like softmax over the queries.</h2>") < page.index("The values are right")
    assert "Two draws agree to nine decimals." in page
    assert reverse("card_deep", args=["scaled-dot-product-attention"]) + "#" in page
    assert "yours to fix" in page
    assert "1 of 10" in page
    assert "in 1.8 s" in page


def test_failing_checks_come_first_the_first_one_open_with_what_was_measured(client, learner, broker):
    page = page_of(client, graded(learner, broker, _diagnosed()))

    assert page.index("The values are right") < page.index("Stays in range") < page.index("One other")
    assert page.count('<details open="">') + page.count("<details open>") == 1
    for measured in ("1.00", "1.71", "0.71", "4 queries, 5 keys", "Look along which axis."):
        assert measured in page


def test_a_belief_leads_to_its_practice(client, learner, broker):
    page = page_of(client, graded(learner, broker, _diagnosed()))

    assert f'href="{reverse("practice_idea", args=["m03-softmax-columns"])}"' in page


def test_a_belief_of_a_concept_in_preparation_is_shown_without_a_link_to_its_card():
    course = current()
    misconception = course.misconceptions["m03-softmax-columns"]
    unwritten = next(iter(course.concepts()))
    belief = Belief(misconception, Place(unwritten, "some-section", "", is_written=False))

    shown = render_to_string("grader/_belief.html", {"belief": belief})

    assert misconception.label in shown
    assert f"concept {unwritten.number}, in preparation" in shown
    assert "#some-section" not in shown


def test_a_misconception_that_the_course_does_not_know_breaks_nothing(client, learner, broker):
    diagnosis = Diagnosis(Wording.EXACT, "m99-unheard-of", "It behaves exactly like nothing known.")

    assert "nothing known" in page_of(client, graded(learner, broker, _diagnosed(diagnosis=diagnosis)))


def test_an_error_names_the_learners_line_and_marks_it_in_the_editor(client, learner, broker, attention):
    save_draft(learner, attention, source="def attention(Q, K, V): ...", revision=0)
    verdict = Verdict(
        Outcome.ERROR,
        "Your code stopped in line 7 when it was called: ValueError: shapes differ",
        error=ErrorReport("ValueError", "shapes differ", 7),
    )

    page = page_of(client, graded(learner, broker, verdict))

    assert "Your code stopped in line 7 when it was called.</h2>" in page
    assert "ValueError: shapes differ" in page
    assert 'data-error-line="7"' in page


def test_a_line_is_not_marked_in_a_text_that_is_not_the_one_that_wasgraded(client, learner, broker, attention):
    save_draft(learner, attention, source="something newer", revision=0)
    verdict = Verdict(Outcome.ERROR, "Your code stopped.", error=ErrorReport("ValueError", "no", 7))

    page = page_of(client, graded(learner, broker, verdict))

    assert "data-error-line" not in page
    assert "The editor holds a newer text" in page


def test_everything_that_a_learner_or_a_judge_wrote_is_escaped(client, learner, broker):
    evil = "<script>alert(1)</script>"
    verdict = _diagnosed(
        sentence=evil,
        checks=(check_report("values", holds=False, title=evil, expected=evil, got=evil, tried_with=evil, hint=evil),),
        diagnosis=Diagnosis(Wording.CONSISTENT, "", evil, evil, evil),
        error=ErrorReport(evil, evil, 1),
        remarks=(evil,),
        output=evil,
        counterexample=Counterexample(
            evil, (GivenMatrix("Q", ((1.0,),)),), (Step(evil, ((1.0,),), ((None,),), parts_here=True),)
        ),
    )

    page = page_of(client, graded(learner, broker, verdict, source=evil))

    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 12


def test_captured_output_is_shown_and_a_cut_is_noted(client, learner, broker):
    page = page_of(client, graded(learner, broker, _diagnosed(output="hello\n", output_cut=True)))

    assert "hello" in page
    assert "The middle was left out" in page


@pytest.mark.parametrize("kept", ["x" * 80 + "\n", "é<&\u2028", "x"])
def test_a_page_with_all_the_output_that_is_kept_stays_small(client, learner, broker, kept):
    output = kept * (Limits().output_bytes // len(kept.encode()))

    page = page_of(client, graded(learner, broker, _diagnosed(output=output, output_cut=True)))

    assert len(page.encode()) < 300_000


def test_a_counterexample_shows_its_input_and_where_the_ways_part(client, learner, broker):
    counterexample = Counterexample(
        "Two numbers are enough.",
        (GivenMatrix("Q", ((0.0,), (1.0,))),),
        (Step("Score", ((0.0, 0.5),), ((0.0, 0.5),), False), Step("Weigh", ((0.25,),), ((0.75,),), True)),
    )

    page = page_of(client, graded(learner, broker, _diagnosed(counterexample=counterexample)))

    assert "Two numbers are enough." in page
    assert "<mn>0.250</mn>" in page
    assert "Here the ways part." in page


@pytest.mark.parametrize(("columns", "is_wide"), [(3, False), (4, True)])
def test_steps_with_wide_matrices_stand_below_their_words(client, learner, broker, columns, is_wide):
    row = ((1.0,) * columns,)
    step = Step("Scores.", reference=row, theirs=row, parts_here=True)

    counterexample = Counterexample("Four numbers.", (GivenMatrix("Q", row),), (step,))

    page = page_of(client, graded(learner, broker, _diagnosed(counterexample=counterexample)))
    assert ('<table class="work wide">' in page) == is_wide


def test_weights_are_drawn_beside_the_reference_with_the_finding_in_words(client, learner, broker):
    weights = Weights(theirs=((0.2, 0.7), (0.8, 0.3)), reference=((0.5, 0.5), (0.1, 0.9)))

    page = page_of(client, graded(learner, broker, _diagnosed(weights=weights)))

    assert page.count("<svg viewBox=") == 3
    assert "columns add up to 1, rows do not." in page
    assert "query 2 and key 1: 0.70 more" in page


def test_cost_is_drawn_beside_the_reference_and_beside_n_and_its_square(client, learner, broker):
    cost = Cost(
        "tokens",
        (1024, 2048, 4096),
        (20 << 20, 70 << 20, 260 << 20),
        (0.1, 0.3, 1.1),
        (4 << 20, 8 << 20, 16 << 20),
        (0.1, 0.2, 0.4),
    )

    page = page_of(client, graded(learner, broker, _diagnosed(cost=cost)))

    assert page.count("<svg viewBox=") == 2
    assert "n grows 4 times and n² 16 times. Your memory grows 13 times, the reference’s 4 times." in page
    assert "like n²" in page and "260" in page and "never graded" in page


def test_program_that_was_stopped_is_drawn_as_far_as_it_came(client, learner, broker):
    cost = Cost("tokens", (1024, 2048, 4096), (20 << 20, 70 << 20), (0.1, 0.3), (0, 8 << 20, 16 << 20), (0.1, 0.2, 0.4))

    page = page_of(client, graded(learner, broker, _diagnosed(cost=cost)))

    assert "From 1,024 to 2,048 tokens" in page and "did not come to its end at more tokens" in page


def test_weights_that_are_not_finite_are_drawn_too(client, learner, broker):
    weights = Weights(theirs=((None, None),), reference=((0.5, 0.5),))

    assert "no row is finite." in page_of(client, graded(learner, broker, _diagnosed(weights=weights)))


def test_a_right_program_is_told_so_and_all_its_checks_are_listed(client, learner, broker):
    page = page_of(client, graded(learner, broker, right_verdict()))

    assert "Both checks hold.</h2>" in page
    assert "10 of 10" in page
    assert "yours to fix" not in page


def test_a_run_shows_each_example_with_what_came_back(client, learner, broker):
    verdict = Verdict(
        Outcome.RIGHT, "All 1 examples hold.", examples=(check_report("one", title="One query", got="[[1.29]]"),)
    )

    page = page_of(client, graded(learner, broker, verdict, kind=Kind.RUN))

    assert "One query" in page
    assert "[[1.29]]" in page


def test_a_fault_of_ours_says_so_and_keeps_its_reason_from_the_learner(client, learner, broker):
    make_judge()
    submission = make_submission(user=learner)
    for _ in range(3):
        dispatch()
        submission.refresh_from_db()
        record_verdict(verdict_note(submission, operator_verdict()))

    page = page_of(client, submission)

    assert "ours to mend" in page
    assert "Nothing was charged." in page
    assert "no device" not in page


def test_the_seed_and_the_ticket_never_reach_apage_of(client, learner, broker):
    make_judge()
    submission = make_submission(user=learner)
    dispatch()
    submission.refresh_from_db()
    seed, ticket = str(submission.seed), submission.ticket
    waiting = page_of(client, submission)
    record_verdict(verdict_note(submission, _diagnosed()))

    for page in (
        waiting,
        page_of(client, submission),
        client.get(reverse("exercise", args=["attention"])).content.decode(),
    ):
        assert seed not in page
        assert ticket not in page


def test_an_older_submission_shows_its_code_and_offers_it_to_the_editor(client, learner, broker, attention):
    old = graded(learner, broker, _diagnosed(), source="old = 1\n")
    make_submission(user=learner, queued_at=timezone.now() + timedelta(seconds=1))

    page = page_of(client, old)

    assert "Take this version into the editor" in page
    assert "old" in page
    client.post(reverse("draft_save", args=["attention"]), {"source": old.source, "action": "replace"})
    assert current_draft(learner, attention).source == "old = 1\n"


def test_a_submission_of_an_exercise_that_left_the_course_can_still_be_read(client, learner, broker):
    submission = graded(learner, broker, _diagnosed())
    Submission.objects.update(exercise="gone")

    page = page_of(client, submission)

    assert "no longer part of the course" in page
    assert "It behaves exactly like softmax over the queries." in page


@pytest.mark.parametrize(("exercise", "is_said"), [("causal-attention", True), ("attention", False)])
def test_a_program_in_pytorch_says_on_which_device_it_ran(client, learner, broker, exercise, is_said):
    """One in NumPy runs on the processor everywhere, whatever else the judge has."""
    make_judge(name="judge-1", device="NVIDIA H200", libraries=["numpy", "pytorch"])
    submission = make_submission(user=learner, exercise=exercise, kind=Kind.SUBMIT)
    dispatch()
    submission.refresh_from_db()

    assert record_verdict(verdict_note(submission, right_verdict()))

    assert ("s on NVIDIA H200" in page_of(client, submission)) == is_said
