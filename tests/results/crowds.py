"""Many learners who have handed in, made at once: papers drawn as the site draws them, answers that tell them apart."""

import random
from collections.abc import Sequence
from datetime import timedelta
from functools import cache

from django.utils import timezone

from courseware.accounts.models import Cohort, Enrolment, Role, User
from quizzes import marking, snapshots
from quizzes.catalogue import current_bank
from quizzes.models import Assignment, ClosedBy, Response, Sitting, Slot
from quizzes.paper import PaperLine, draw_paper
from quizzes.questions import Answer
from quizzes.registry import kind_of
from tests.quizzes.answering import right_answer_to, wrong_answer_to


def make_crowd(cohort: Cohort, count: int) -> list[Enrolment]:
    """Return so many learners who cannot sign in, since nobody here does."""
    users = User.objects.bulk_create(
        User(email=f"crowd{cohort.pk}-{number}@example.org", name=f"Learner {number:04d}") for number in range(count)
    )
    return Enrolment.objects.bulk_create(Enrolment(user=user, cohort=cohort, role=Role.LEARNER) for user in users)


def long_paper(count: int) -> tuple[PaperLine, ...]:
    """Return a paper of so many questions of the bank, whatever blueprints say."""
    chosen = list(current_bank().questions.values())[:count]
    assert len(chosen) == count
    return tuple(
        PaperLine(
            each, kind_of(each.kind).draw(each.task, seed="1", question_id=each.id), marking.STORED_PLACES * 10000
        )
        for each in chosen
    )


def hand_in_all(
    assignment: Assignment, enrolments: list[Enrolment], *, seed: str = "", paper: Sequence[PaperLine] = ()
) -> list[Sitting]:
    """Return a closed sitting of each, the later learners answering better; a seed or a paper is for everybody."""
    if not enrolments:
        return []
    bank, now, chance = current_bank(), timezone.now(), random.Random(7)
    papers = [
        paper or draw_paper(bank.blueprints[assignment.blueprint], bank.questions, seed or str(each.pk))
        for each in enrolments
    ]
    kept = snapshots.keep({line.question.id: line.question for paper in papers for line in paper}.values())
    answers, sittings, slots, responses = _Answers(), [], [], []
    for number, (enrolment, lines) in enumerate(zip(enrolments, papers, strict=True)):
        sitting = Sitting(
            assignment=assignment, enrolment=enrolment, attempt=1, seed="1", opened_at=now - timedelta(hours=1),
            closed_at=now, closed_by=ClosedBy.LEARNER, out_of=sum(line.marks for line in lines),
        )  # fmt: skip
        parts = []
        for position, line in enumerate(lines, start=1):
            slot = Slot(
                sitting=sitting, position=position, question_id=line.question.id, marks=line.marks,
                concept_id=line.question.concept_id, snapshot_id=kept[line.question.id],
                parameters=dict(line.variant.parameters), option_order=list(line.variant.option_order),
            )  # fmt: skip
            answer, marked = answers.one_of(line, chance, ability=(number + 1) / (len(enrolments) + 1))
            parts.append((marked.fraction, line.marks))
            responses.append(
                Response(
                    slot=slot, revision=1, saved_at=now, answer=answer and list(answer.parts),
                    mark=marking.earned([parts[-1]]), misconception_ids=[cause.id for cause in marked.causes],
                    marked_from=snapshots.frozen_once(line.question).marking_digest,
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


class _Answers:
    """Answers to a paper's lines, each made and marked once."""

    def __init__(self) -> None:
        self._lines: dict[int, PaperLine] = {}
        self._marked = cache(self._mark)

    def one_of(self, line: PaperLine, chance: random.Random, *, ability: float):
        self._lines[id(line)] = line
        drawn = chance.random()
        if drawn < 0.15 + 0.7 * ability:
            return self._marked(id(line), "right")
        if drawn > 0.99:
            return self._marked(id(line), "")
        options = getattr(line.question.task, "options", None)
        if options and line.question.kind != "multi":
            return self._marked(id(line), f"={chance.choice([each.id for each in options if not each.is_right])}")
        return self._marked(id(line), "wrong")

    def _mark(self, line_id: int, how: str):
        question, variant = self._lines[line_id].question, self._lines[line_id].variant
        if how == "right":
            answer = right_answer_to(question, variant)
        elif how == "wrong":
            answer = wrong_answer_to(question, variant)
        else:
            answer = Answer((how[1:],)) if how else None
        return answer, marking.mark(question, variant, answer)
