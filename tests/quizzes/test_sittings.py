from datetime import timedelta
from decimal import Decimal
from itertools import count

import pytest
import time_machine
from django.utils import timezone

from courseware.accounts.models import Role
from quizzes import sittings, snapshots
from quizzes.assignments import assign_blueprint
from quizzes.catalogue import current_bank
from quizzes.marking import mark
from quizzes.models import ClosedBy, Event, QuestionSnapshot, Response, Sitting
from quizzes.opening import open_sitting
from quizzes.outcomes import Receipt, Refusal, RefusalReason
from quizzes.paper import draw_paper
from quizzes.questions import Answer
from tests.factories import make_assignment, make_cohort, make_enrolment, make_sitting
from tests.quizzes.answering import right_answer, slot_of, wrong_answer
from tests.quizzes.courses import edited_course, move_the_key

pytestmark = pytest.mark.django_db


# --- assigning ---


def test_a_cohort_gets_the_test_of_a_blueprint_once():
    cohort = make_cohort()

    first, second = assign_blueprint(cohort, "module-test"), assign_blueprint(cohort, "module-test")

    assert first == second
    assert (first.attempts, first.minutes) == (1, None)


def test_a_blueprint_that_the_course_does_not_have_is_an_error():
    with pytest.raises(KeyError):
        assign_blueprint(make_cohort(), "unheard-of")


# --- opening ---


def test_opening_draws_a_paper_and_keeps_its_questions():
    sitting = make_sitting()

    slots = list(sitting.slots.select_related("snapshot", "response"))
    assert [slot.position for slot in slots] == list(range(1, 10))
    assert all(slot.snapshot.question() == current_bank().questions[slot.question_id] for slot in slots)
    assert all(slot.response.revision == 0 and slot.response.answer is None for slot in slots)
    assert sitting.out_of == 9


def test_opening_twice_gives_the_same_sitting():
    enrolment = make_enrolment()
    assignment = make_assignment(enrolment.cohort)

    first, second = open_sitting(enrolment, assignment), open_sitting(enrolment, assignment)

    assert first == second
    assert Sitting.objects.count() == 1


def test_the_first_start_writes_the_snapshots_of_every_paper_that_follows():
    assignment = make_assignment()
    first = make_sitting(assignment)
    written = set(QuestionSnapshot.objects.values_list("pk", flat=True))

    other = make_sitting(assignment, seed="eight")

    assert {slot.question_id for slot in other.slots.all()} - {slot.question_id for slot in first.slots.all()}
    assert set(QuestionSnapshot.objects.values_list("pk", flat=True)) == written


def test_snapshots_are_written_in_one_order_so_that_two_starts_never_wait_for_each_other():
    snapshots.keep(reversed(current_bank().questions.values()))

    written = list(QuestionSnapshot.objects.order_by("pk").values_list("question_id", flat=True))
    assert written == sorted(current_bank().questions)


def test_a_paper_is_kept_as_it_was_drawn():
    bank = current_bank()

    kept = make_sitting(seed="abc").slots.select_related("snapshot")

    drawn = draw_paper(bank.blueprints["module-test"], bank.questions, "abc")
    assert [(slot.snapshot.question(), slot.variant, slot.marks) for slot in kept] == [
        (line.question, line.variant, line.marks) for line in drawn
    ]
    assert all((slot.question_id, slot.concept_id) == _ids(slot.snapshot.question()) for slot in kept)


def _ids(question):
    return question.id, question.concept_id


def test_the_same_seed_gives_the_same_paper():
    one, two = make_sitting(seed="abc"), make_sitting(seed="abc")

    fields = ("position", "question_id", "parameters", "option_order")
    assert list(one.slots.values_list(*fields)) == list(two.slots.values_list(*fields))


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"opens_at": timedelta(hours=1)}, RefusalReason.NOT_YET_OPEN),
        ({"closes_at": timedelta(hours=-1)}, RefusalReason.NO_LONGER_OPEN),
        ({"blueprint": "gone"}, RefusalReason.NO_BLUEPRINT),
    ],
)
def test_a_test_that_is_not_open_is_refused(fields, reason):
    now = timezone.now()
    enrolment = make_enrolment()
    values = {name: now + value if isinstance(value, timedelta) else value for name, value in fields.items()}

    refusal = open_sitting(enrolment, make_assignment(enrolment.cohort, **values))

    assert isinstance(refusal, Refusal)
    assert refusal.reason is reason
    assert refusal.sentence.endswith(".")


def test_staff_and_withdrawn_learners_are_refused():
    teacher = make_enrolment(role=Role.INSTRUCTOR)
    gone = make_enrolment(withdrawn_at=timezone.now())

    for enrolment in (teacher, gone):
        refusal = open_sitting(enrolment, make_assignment(enrolment.cohort))
        assert isinstance(refusal, Refusal)
        assert refusal.reason is RefusalReason.NOT_A_LEARNER


def test_another_cohorts_test_is_a_fault_of_the_caller():
    with pytest.raises(ValueError, match="not in the cohort"):
        open_sitting(make_enrolment(), make_assignment())


def test_when_every_attempt_is_used_no_other_is_given():
    sitting = make_sitting(make_assignment(attempts=2))
    sittings.hand_in(sitting.pk)

    second = open_sitting(sitting.enrolment, sitting.assignment)
    assert isinstance(second, Sitting)
    assert second.attempt == 2
    sittings.hand_in(second.pk)
    third = open_sitting(sitting.enrolment, sitting.assignment)
    assert isinstance(third, Refusal)
    assert third.reason is RefusalReason.NO_ATTEMPT_LEFT


# --- recording ---


def test_an_answer_is_saved_with_a_receipt():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")

    receipt = sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    assert isinstance(receipt, Receipt)
    assert receipt.revision == 1
    stored = Response.objects.get(slot=slot)
    assert (stored.given, stored.saved_at) == (right_answer(slot), receipt.saved_at)


def test_the_same_save_twice_is_one():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")

    first = sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)
    second = sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    assert first == second
    assert Event.objects.filter(kind="saved").count() == 1


def test_an_older_page_cannot_overwrite_a_newer_answer():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    refusal = sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0)

    assert isinstance(refusal, Refusal)
    assert refusal.reason is RefusalReason.STALE
    assert "another tab at" in refusal.sentence
    assert Response.objects.get(slot=slot).given == right_answer(slot)
    assert Event.objects.get(kind="refused").detail["answer"] == list(wrong_answer(slot).parts)


def test_a_made_up_revision_overwrites_nothing():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")

    for made_up in (-1, 5, 10**8):
        assert isinstance(sittings.record_answer(sitting.pk, slot.position, right_answer(slot), made_up), Refusal)
    assert Response.objects.get(slot=slot).answer is None


def test_an_answer_can_be_taken_back():
    sitting = make_sitting()
    slot = slot_of(sitting, "numeric")
    sittings.record_answer(sitting.pk, slot.position, Answer(("2", "2")), 0)

    receipt = sittings.record_answer(sitting.pk, slot.position, None, 1)

    assert isinstance(receipt, Receipt)
    assert Response.objects.get(slot=slot).answer is None


def test_a_question_that_is_not_on_the_paper_is_not_found():
    with pytest.raises(Response.DoesNotExist):
        sittings.record_answer(make_sitting().pk, 10, Answer(("a",)), 0)


# --- flagging ---


def test_flagging_says_what_should_be_so_it_can_be_repeated():
    sitting = make_sitting()

    for _ in range(2):
        assert sittings.flag(sitting.pk, 2, flagged=True) is None
    assert list(sitting.slots.filter(flagged=True).values_list("position", flat=True)) == [2]
    assert Event.objects.filter(kind="flagged").count() == 1

    sittings.flag(sitting.pk, 2, flagged=False)
    assert not sitting.slots.filter(flagged=True).exists()


# --- handing in ---


def test_handing_in_marks_every_answer_from_its_snapshot():
    sitting = make_sitting()
    for slot in sitting.slots.select_related("snapshot"):
        sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    closed = sittings.hand_in(sitting.pk)

    assert (closed.mark, closed.closed_by) == (Decimal(9), ClosedBy.LEARNER)
    for slot in closed.slots.select_related("snapshot", "response"):
        assert slot.response.mark == 1
        assert slot.response.marked_from == slot.snapshot.marking_digest


def test_handing_in_twice_changes_nothing():
    sitting = make_sitting()

    first = sittings.hand_in(sitting.pk)
    with time_machine.travel(timezone.now() + timedelta(hours=1)):
        second = sittings.hand_in(sitting.pk)

    assert (first.closed_at, first.mark, first.receipt) == (second.closed_at, second.mark, second.receipt)
    assert Event.objects.filter(kind="closed").count() == 1


def test_open_questions_earn_nothing_and_wrong_ones_leave_their_cause():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0)

    closed = sittings.hand_in(sitting.pk)

    assert closed.mark == 0
    causes = mark(slot.snapshot.question(), slot.variant, wrong_answer(slot)).causes
    assert Response.objects.get(slot=slot).misconception_ids == [cause.id for cause in causes] != []


def test_after_handing_in_nothing_can_change():
    sitting = make_sitting()
    slot = slot_of(sitting, "single")
    sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 0)
    sittings.hand_in(sitting.pk)

    refusals = [
        sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 1),
        sittings.record_answer(sitting.pk, slot.position, wrong_answer(slot), 1),
        sittings.flag(sitting.pk, slot.position, flagged=True),
    ]

    assert all(isinstance(refusal, Refusal) and refusal.reason is RefusalReason.CLOSED for refusal in refusals)
    assert Response.objects.get(slot=slot).given == wrong_answer(slot)


def seed_of_a_paper_with(question_id: str) -> str:
    bank = current_bank()
    papers = ((seed, draw_paper(bank.blueprints["module-test"], bank.questions, seed)) for seed in map(str, count()))
    return next(seed for seed, paper in papers if question_id in {line.question.id for line in paper})


def test_an_edit_of_the_course_changes_no_paper_that_was_drawn_before(tmp_path, settings):
    seed = seed_of_a_paper_with("scaled-dot-product-attention/why-root")  # the single whose key moves
    sitting = make_sitting(seed=seed)
    slots = [slot for slot in sitting.slots.all() if slot.snapshot.question().kind == "single"]
    answers = {slot.position: right_answer(slot) for slot in slots}
    settings.COURSE_PATH = edited_course(tmp_path, move_the_key)
    for position, answer in answers.items():
        sittings.record_answer(sitting.pk, position, answer, 0)

    assert sittings.hand_in(sitting.pk).mark == len(slots)
    assert make_sitting(seed=seed).slots.count() == 9  # a new paper has the new version
    versions = [QuestionSnapshot.objects.filter(question_id=slot.question_id).count() for slot in slots]
    assert sum(versions) == len(slots) + 1
