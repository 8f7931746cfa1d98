"""What of a sitting its learner may see, and from when: the one place that decides it.

Everything that shows marks or explanations to learners asks here: pages, lists and whatever leaves the site. Staff see
everything and do not ask. A `Policy` is pure: nothing but its own values, the sitting and the moment decide.
"""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from quizzes.accommodations import NO_EXTRAS, extras
from quizzes.models import Assignment, Feedback, Sitting
from quizzes.moments import deadline
from quizzes.timing import Limits


@dataclass(frozen=True)
class Visible:
    """What may be seen of the answers that are final: while a sitting is open, of those made final one by one."""

    marks: bool
    explanations: bool  # with them whether an answer is right, and which idea goes with it


EVERYTHING = Visible(marks=True, explanations=True)
NOTHING = Visible(marks=False, explanations=False)


@dataclass(frozen=True)
class Policy:
    """When one learner sees what of one test."""

    marks: Feedback
    explanations: Feedback
    ends_at: datetime | None  # when the test takes nothing more from this learner, extra time included
    zone: ZoneInfo

    def visible(self, sitting: Sitting, now: datetime) -> Visible:
        """Return what the sitting's learner may see at this moment."""
        return Visible(
            marks=self._shows(self.marks, sitting, now), explanations=self._shows(self.explanations, sitting, now)
        )

    @property
    def promise(self) -> str:
        """When marks and explanations are shown, for a learner who has seen nothing yet."""
        return self.outstanding(NOTHING)

    def outstanding(self, seen: Visible) -> str:
        """Return, for the learner, when the rest is shown, empty if nothing is held back."""
        if seen == NOTHING and self.marks == self.explanations:
            return self._sentence("Marks and explanations", self.marks)
        parts = []
        if not seen.marks:
            parts.append(self._sentence("Marks", self.marks))
        if not seen.explanations:
            parts.append(self._sentence("Explanations", self.explanations))
        return " ".join(parts)

    def _shows(self, when: Feedback, sitting: Sitting, now: datetime) -> bool:
        match when:
            case Feedback.AT_ONCE:
                return True
            case Feedback.AT_HAND_IN:
                return sitting.is_closed
            case Feedback.AFTER_CLOSING:
                return sitting.is_closed and self.ends_at is not None and now >= self.ends_at
            case Feedback.NEVER:
                return False

    def _sentence(self, what: str, when: Feedback) -> str:
        match when:
            case Feedback.AT_ONCE:
                return f"{what} are shown as soon as an answer is final."
            case Feedback.AT_HAND_IN:
                return f"{what} are shown when you hand in."
            case Feedback.AFTER_CLOSING:
                assert self.ends_at is not None  # the table allows this policy only where a test closes
                return f"{what} are shown from {deadline(self.ends_at, self.zone)}, when the test has closed for you."
            case Feedback.NEVER:
                return f"{what} are not shown for this test."


def policy(assignment: Assignment, limits: Limits) -> Policy:
    """Return when a learner with these limits sees what; `cohort` should be selected with the assignment."""
    return Policy(
        marks=Feedback(assignment.marks_shown),
        explanations=Feedback(assignment.explanations_shown),
        ends_at=limits.ends_at,
        zone=assignment.zone,
    )


def policy_of(sitting: Sitting) -> Policy:
    """Return when the learner of a sitting sees what."""
    assignment = sitting.assignment
    given = extras([sitting.enrolment_id]) if waits_for_closing(assignment) else NO_EXTRAS
    return policy(assignment, given.limits(assignment, sitting.enrolment_id))


def waits_for_closing(assignment: Assignment) -> bool:
    """Tell whether something is shown only when the test has ended, so that whose extra time it is matters."""
    return Feedback.AFTER_CLOSING in (assignment.marks_shown, assignment.explanations_shown)


def answers_become_final(assignment: Assignment) -> bool:
    """Tell whether an answer is made final before hand-in: whoever was shown its mark could else correct it."""
    return bool(shown_at_once(assignment))


def shown_at_once(assignment: Assignment) -> str:
    """Return what a learner sees as soon as an answer is final, empty if nothing before hand-in."""
    policies = {"mark": assignment.marks_shown, "explanation": assignment.explanations_shown}
    return " and ".join(what for what, when in policies.items() if when == Feedback.AT_ONCE)
