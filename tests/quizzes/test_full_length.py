"""The module test at its real length, from start to review; all other tests of sittings sit a short one."""

from quizzes import sittings
from tests.factories import make_assignment, make_sitting
from tests.quizzes.answering import right_answer
from tests.quizzes.browsing import address
from tests.short_test import REAL_COURSE


def test_a_paper_with_two_questions_of_every_concept_is_sat_and_reviewed(db, settings, signed_in):
    settings.COURSE_PATH = REAL_COURSE
    sitting = make_sitting(make_assignment())
    browser, slots = signed_in(sitting.enrolment.user), list(sitting.slots.select_related("snapshot"))
    for slot in slots[:20]:
        assert sittings.record_answer(sitting.pk, slot.position, right_answer(slot), 0)

    last = browser.get(address("question", sitting, 38)).content.decode()
    summary = browser.get(address("hand_in", sitting)).content.decode()
    sittings.hand_in(sitting.pk)
    review = browser.get(address("review", sitting) + "?show=all").content.decode()

    assert len(slots) == 38
    assert "Question 38 of 38" in last
    assert "18 of 38 are open" in summary
    assert "<h1>20 of 38</h1>" in review
    assert review.count('aria-labelledby="q') == 38
