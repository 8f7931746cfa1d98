"""Walks everything that a learner can reach while and after sitting a test, under every policy, and reads it whole.

Every page is found by its links, every form is sent, as a page and as a script does it. The words that stand in each
key, explanation, label, id and tolerance of the test must be nowhere before the policy allows, and everywhere after.
"""

import re
from collections.abc import Iterable, Iterator
from datetime import timedelta

import pytest
import time_machine
from django.http.response import HttpResponseBase
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from quizzes import sittings
from quizzes.catalogue import current_bank
from quizzes.matrix_tasks import at
from quizzes.models import Sitting, Slot
from quizzes.questions import Answer
from tests.factories import make_assignment, make_instructor, make_learner, make_sitting
from tests.quizzes.answering import right_answer, slot_of, wrong_answer
from tests.quizzes.forms import Control, controls_of, sent
from tests.quizzes.making import TEXTS
from tests.quizzes.marked_course import HIDDEN, KEY, TOLERANCES, Marked, make_marked_course

pytestmark = pytest.mark.django_db

_LINK = re.compile(r'(?:href|src|action|formaction)="(/[^"#]*)')
_WORD = re.compile(rf"{HIDDEN}[a-z]+\d+end")
_CAUSE_ID = re.compile(rf"\b(?:m\d\d|slip)-{HIDDEN}-")
_JUDGED = re.compile(r'class="word">(?:Right|Not|Partly|Left open)')
_MARKED = re.compile(r"of 1 mark\b|<h1>[\d.]+ of 9</h1>|[\d.]+ of 9, handed in")
_NEVER = re.compile(r"\b(?:is_right|marking_digest|option_order|misconception_ids)\b")

# marks, explanations, and what both are while the sitting is open (of final answers), handed in, and after closing
POLICIES = [
    ("at once", "at once", (True, True), (True, True), (True, True)),
    ("at once", "never", (True, False), (True, False), (True, False)),
    ("at hand-in", "at hand-in", (False, False), (True, True), (True, True)),
    ("at hand-in", "after closing", (False, False), (True, False), (True, True)),
    ("after closing", "at hand-in", (False, False), (False, True), (True, True)),
    ("after closing", "after closing", (False, False), (False, False), (True, True)),
    ("never", "never", (False, False), (False, False), (False, False)),
]


@pytest.fixture(scope="module")
def marked(tmp_path_factory) -> Marked:
    return make_marked_course(tmp_path_factory.mktemp("marked") / "course")


@pytest.fixture(autouse=True)
def _serve(marked, settings):
    settings.COURSE_PATH = marked.course


def whole(response: HttpResponseBase) -> str:
    """Everything that reaches the browser."""
    body = response.getvalue().decode() if response.streaming else response.content.decode()
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    return "\n".join([body, headers, *(morsel.OutputString() for morsel in response.cookies.values())])


class Walk:
    """All that was read on one walk, by the address that gave it."""

    def __init__(self, learner) -> None:
        self.browser = Client()
        self.browser.force_login(learner, backend="allauth.account.auth_backends.AuthenticationBackend")
        self.read: list[tuple[str, str]] = []

    def get(self, path: str, **headers: str) -> str:
        response = self.browser.get(path, headers=headers)
        assert response.status_code < 500, path
        self.read.append((path, whole(response)))
        return self.read[-1][1]

    def post(self, path: str, fields, **headers: str) -> None:
        response = self.browser.post(path, fields, headers=headers)
        assert response.status_code < 500, path
        self.read.append((path, whole(response)))
        if response.status_code == 302:
            self.get(response["Location"])

    def everywhere(self, *starts: str, but_not: tuple[str, ...] = ()) -> None:
        """Follow every link from these pages on, except to what tests have no part in."""
        ahead, seen = list(starts), set()
        while ahead:
            path = ahead.pop()
            if path in seen or path.startswith(("/static/", "/accounts/", "/join/", *but_not)):
                continue
            seen.add(path)
            ahead += [link.replace("&amp;", "&") for link in _LINK.findall(self.get(path))]

    @property
    def words(self) -> set[str]:
        return {word for _, text in self.read for word in _WORD.findall(text)}

    def paths(self, pattern: re.Pattern[str]) -> set[str]:
        """Return the addresses of the learner's tests that gave something of this pattern."""
        open_by_themselves = ("/practice/", "/concepts/")
        return {path for path, text in self.read if not path.startswith(open_by_themselves) and pattern.search(text)}


def starts(sitting: Sitting) -> list[str]:
    of_sitting = [reverse(name, args=[sitting.pk]) for name in ("hand_in", "review")]
    questions = [reverse("question", args=[sitting.pk, slot.position]) for slot in sitting.slots.all()]
    staff = [reverse("cohort", args=[sitting.assignment.cohort_id]), reverse("cohorts")]
    csv = reverse("cohort_csv", args=[sitting.assignment.cohort_id])
    return [reverse("home"), *of_sitting, *questions, f"{of_sitting[1]}?show=all", *staff, csv, "/healthz", "/metrics"]


def fillings(controls: list[Control]) -> Iterator[dict[str, list[str]]]:
    """Yield a form as it stands, and filled in with a choice and a number, and with another choice and a word."""
    as_it_stands = dict(sent(controls))
    yield as_it_stands
    for typed in ("0.5", "one half"):
        filled = dict(as_it_stands)
        for control in controls:
            if control.choices:
                filled[control.name] = [control.choices[len(typed) % len(control.choices)]]
            elif control.type != "hidden":
                filled[control.name] = [typed]
        yield filled


def send_every_form(walk: Walk, sitting: Sitting) -> None:
    """Save, flag, save from an old page and save what cannot be read, as a page and as a script."""
    for slot in sitting.slots.all():
        path = reverse("question", args=[sitting.pk, slot.position])
        flag = reverse("question_flag", args=[sitting.pk, slot.position])
        for accept in ("text/html", "application/json"):
            for number, fields in enumerate(fillings(controls_of(walk.get(path, Accept=accept)))):
                walk.post(path, fields | {"revision": str(number % 3)}, Accept=accept)
            walk.post(flag, {"flagged": "1"}, Accept=accept)
        walk.get(f"{path}?left=1")


def practise_everything(walk: Walk) -> set[str]:
    """Answer the self-check and every practice question, and return the kinds that explained themselves."""
    explained = set()
    for question in current_bank().questions.values():
        if question.pool != "practice":
            continue
        path = reverse("practice_question", args=[question.concept_id, question.slug])
        for fields in fillings(controls_of(walk.get(path))):
            walk.post(path, fields)
            if "is the first word of a reason" in walk.read[-1][1]:
                explained.add(question.kind)
                break
    card = walk.get(reverse("card", args=["attention"]))
    walk.post(reverse("self_check_pick", args=["attention"]), {**sent(controls_of(card)), "choice": "1"})
    return explained


def answer(sitting: Sitting, how) -> None:
    for slot in sitting.slots.select_related("snapshot", "response"):
        slot.response.refresh_from_db()
        sittings.record_answer(sitting.pk, slot.position, how(slot), slot.response.revision)


def otherwise(slot: Slot) -> Answer:
    """Return a right answer, or one that nobody foresaw where a kind has an explanation for it."""
    kind = slot.snapshot.question().kind
    if kind == "numeric":
        return Answer(("777", "777"))
    if kind == "short":
        return Answer(("nobody foresaw this",))
    if kind == "matrix":
        return Answer(("7",) * len(slot.snapshot.question().task.blanks))
    return right_answer(slot)


def left_open(slot: Slot) -> None:
    """Leave a question open."""


def keys_of(slots: Iterable[Slot]) -> re.Pattern[str]:
    """Return what finds the key of a number and the cells of a matrix."""
    cells = set()
    for slot in slots:
        task = slot.snapshot.question().task
        if slot.snapshot.question().kind == "matrix":
            key = task.drawn(slot.variant.parameters).key
            every = {(row, column) for row in range(1, 4) for column in range(1, 4)}
            given = {f"{at(key, cell):.4f}" for cell in every - set(task.blanks)}
            cells |= {f"{at(key, cell):.4f}" for cell in task.blanks} - given - {"0.0000"}
    assert cells
    return re.compile("|".join(re.escape(text) for text in (KEY, *cells)))


def assert_as_allowed(walk: Walk, marked: Marked, shown: tuple[bool, bool], slots: list[Slot]) -> None:
    marks, explanations = shown
    assert not walk.paths(_NEVER)
    assert not walk.paths(_CAUSE_ID)
    for tolerance in TOLERANCES:
        assert not walk.paths(re.compile(re.escape(tolerance)))
    assert bool(walk.paths(_MARKED)) == marks, walk.paths(_MARKED)
    assert bool(walk.paths(_JUDGED)) == (marks or explanations), walk.paths(_JUDGED)
    assert bool(walk.paths(keys_of(slots))) == explanations, walk.paths(keys_of(slots))
    assert bool(walk.words) == explanations
    assert walk.words <= marked.explained, walk.words - marked.explained


@pytest.mark.slow
@pytest.mark.parametrize(("marks", "explanations", "while_open", "handed_in", "closed"), POLICIES)
def test_nothing_is_shown_before_its_policy_allows_and_everything_after(
    marks, explanations, while_open, handed_in, closed, marked
):
    learner, closes_at = make_learner(), timezone.now() + timedelta(hours=2)
    assignment = make_assignment(
        learner.enrolments.get().cohort,
        attempts=3,
        closes_at=closes_at,
        marks_shown=marks,
        explanations_shown=explanations,
    )
    sitting = make_sitting(assignment, user=learner)
    slots = list(sitting.slots.select_related("snapshot"))
    assert {slot.snapshot.question().kind for slot in slots} == set(TEXTS)

    walk = Walk(learner)
    send_every_form(walk, sitting)
    walk.everywhere(*starts(sitting), but_not=("/concepts/", "/practice/concepts/"))
    assert len({path for path, _ in walk.read}) > 40
    assert_as_allowed(walk, marked, (False, False), slots)  # whatever the policy, no answer is final yet

    walk = Walk(learner)
    answer(sitting, wrong_answer)
    if while_open != (False, False):
        for slot in slots:
            path = reverse("question", args=[sitting.pk, slot.position])
            walk.post(reverse("question_final", args=[sitting.pk, slot.position]), sent(controls_of(walk.get(path))))
        walk.read.clear()
    walk.everywhere(*starts(sitting), but_not=("/concepts/", "/practice/concepts/"))
    # The mark of the whole is told at hand-in; of a final answer, its own.
    assert_as_allowed(walk, marked, while_open, slots)

    sittings.hand_in(sitting.pk)
    for how in (otherwise, left_open):
        another = make_sitting(assignment, user=learner)
        answer(another, how)
        sittings.hand_in(another.pk)
    walk = Walk(learner)
    walk.everywhere(*starts(sitting), but_not=("/concepts/", "/practice/concepts/"))
    assert_as_allowed(walk, marked, handed_in, slots)
    after_hand_in = walk.words

    with time_machine.travel(closes_at + timedelta(seconds=1)):
        walk = Walk(learner)
        walk.everywhere(*starts(sitting), but_not=("/concepts/", "/practice/concepts/"))
    assert_as_allowed(walk, marked, closed, slots)
    for words, (_, are_explained) in ((after_hand_in, handed_in), (walk.words, closed)):
        assert words == (marked.explained if are_explained else set())


def test_practice_and_self_check_explain_themselves_during_a_test_and_say_nothing_of_it(marked):
    sitting = make_sitting(make_assignment())
    walk = Walk(sitting.enrolment.user)

    explained = practise_everything(walk)
    walk.everywhere(*starts(sitting))

    assert explained == set(TEXTS)
    assert_as_allowed(walk, marked, (False, False), list(sitting.slots.select_related("snapshot")))


def test_the_walk_sees_what_a_learner_is_shown_and_nobody_else(marked, signed_in):
    """Staff see everything while learners see nothing: the same reading finds it there."""
    sitting = make_sitting(make_assignment(marks_shown="never", explanations_shown="never"))
    answer(sitting, wrong_answer)
    sittings.hand_in(sitting.pk)
    walk = Walk(make_instructor(sitting.assignment.cohort))
    walk.get(reverse("cohort_sitting", args=[sitting.assignment.cohort_id, sitting.pk]))

    assert len(walk.words) > len(marked.explained) / 2
    assert walk.paths(_MARKED)
    assert walk.paths(keys_of([slot_of(sitting, "matrix")]))
