"""Many learners who have handed in, made at once: papers drawn as the site draws them, answers that tell them apart."""

import random
from datetime import timedelta

from django.utils import timezone

from courseware.accounts.models import Cohort, Enrolment, Role, User
from quizzes import marking, snapshots
from quizzes.catalogue import current_bank
from quizzes.models import Assignment, ClosedBy, Response, Sitting, Slot
from quizzes.paper import draw_paper
from quizzes.questions import Answer
from tests.quizzes.answering import right_answer_to, wrong_answer_to


def make_crowd(cohort: Cohort, count: int) -> list[Enrolment]:
    """Return so many learners who cannot sign in, since nobody here does."""
    users = User.objects.bulk_create(
        User(email=f"crowd{cohort.pk}-{number}@example.org", name=f"Learner {number:04d}") for number in range(count)
    )
    return Enrolment.objects.bulk_create(Enrolment(user=user, cohort=cohort, role=Role.LEARNER) for user in users)


def hand_in_all(assignment: Assignment, enrolments: list[Enrolment], *, seed: str = "") -> list[Sitting]:
    """Return a closed sitting of each, the later learners answering better; one seed gives everybody one paper."""
    if not enrolments:
        return []
    bank, now, chance = current_bank(), timezone.now(), random.Random(7)
    papers = [
        draw_paper(bank.blueprints[assignment.blueprint], bank.questions, seed or str(each.pk)) for each in enrolments
    ]
    kept = snapshots.keep({line.question.id: line.question for paper in papers for line in paper}.values())
    sittings, slots, responses = [], [], []
    for number, (enrolment, paper) in enumerate(zip(enrolments, papers, strict=True)):
        sitting = Sitting(
            assignment=assignment, enrolment=enrolment, attempt=1, seed="1", opened_at=now - timedelta(hours=1),
            closed_at=now, closed_by=ClosedBy.LEARNER, out_of=sum(line.marks for line in paper),
        )  # fmt: skip
        parts = []
        for position, line in enumerate(paper, start=1):
            slot = Slot(
                sitting=sitting, position=position, question_id=line.question.id, marks=line.marks,
                concept_id=line.question.concept_id, snapshot=kept[line.question.id],
                parameters=dict(line.variant.parameters), option_order=list(line.variant.option_order),
            )  # fmt: skip
            answer = _answer(line, chance, ability=(number + 1) / (len(enrolments) + 1))
            marked = marking.mark(line.question, line.variant, answer)
            parts.append((marked.fraction, line.marks))
            responses.append(
                Response(
                    slot=slot, revision=1, saved_at=now, answer=answer and list(answer.parts),
                    mark=marking.earned([parts[-1]]), misconception_ids=[cause.id for cause in marked.causes],
                    marked_from=kept[line.question.id].marking_digest,
                )
            )  # fmt: skip
            slots.append(slot)
        sitting.mark = marking.earned(parts)
        sittings.append(sitting)
    Sitting.objects.bulk_create(sittings)
    Slot.objects.bulk_create(slots, batch_size=2000)
    for response in responses:
        response.slot_id = response.slot.pk
    Response.objects.bulk_create(responses, batch_size=2000)
    return sittings


def _answer(line, chance: random.Random, *, ability: float) -> Answer | None:
    drawn = chance.random()
    if drawn < 0.15 + 0.7 * ability:
        return right_answer_to(line.question, line.variant)
    if drawn > 0.99:
        return None
    options = getattr(line.question.task, "options", None)
    if options and line.question.kind != "multi":
        return Answer((chance.choice([option.id for option in options if not option.is_right]),))
    return wrong_answer_to(line.question, line.variant)
