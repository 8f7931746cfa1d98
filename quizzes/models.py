"""Every table of tests and self-checks, where Django looks for them; each family is a module of `quizzes/tables/`.

Files hold the questions; these tables hold what was drawn and answered, and never flow back.
"""

from quizzes.tables.analyses import ItemAnalysis
from quizzes.tables.assignments import Assignment, AssignmentQuerySet, Counts, Extension, Feedback
from quizzes.tables.events import Event, EventKind
from quizzes.tables.overrides import LONGEST_REASON, SittingMarkOverride
from quizzes.tables.practice import PracticeAnswer
from quizzes.tables.reports import Complaint, QuestionReport
from quizzes.tables.self_checks import SelfCheckPick
from quizzes.tables.sittings import ClosedBy, Response, Sitting, SittingQuerySet, Slot
from quizzes.tables.snapshots import QuestionSnapshot

__all__ = [
    "LONGEST_REASON",
    "Assignment",
    "AssignmentQuerySet",
    "ClosedBy",
    "Complaint",
    "Counts",
    "Event",
    "EventKind",
    "Extension",
    "Feedback",
    "ItemAnalysis",
    "PracticeAnswer",
    "QuestionReport",
    "QuestionSnapshot",
    "Response",
    "SelfCheckPick",
    "Sitting",
    "SittingMarkOverride",
    "SittingQuerySet",
    "Slot",
]
