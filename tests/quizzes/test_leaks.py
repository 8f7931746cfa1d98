"""Before hand-in no byte that reaches the browser may help to find an answer.

Every response of an open sitting is read whole: pages, redirects, receipts, refusals, headers and cookies.
"""

import html
import re
from collections.abc import Iterator

import pytest
from django.urls import reverse

from courseware.concepts.course import current
from quizzes.catalogue import current_bank
from quizzes.expressions import parse_expression
from quizzes.models import Sitting
from quizzes.questions import Question
from tests.factories import make_assignment, make_learner, make_sitting

pytestmark = pytest.mark.django_db


def plain(text: str) -> str:
    """Text without tags and with its entities resolved, so that markup in between hides nothing."""
    return re.sub(r"\W+", " ", html.unescape(re.sub(r"<[^>]*>", "", text))).casefold()


def explanations(question: Question) -> Iterator[str]:
    task = question.task
    for option in getattr(task, "options", ()):
        yield option.explanation.why
    if question.kind == "numeric":
        yield from (task.right.why, task.otherwise.why, *(wrong.explanation.why for wrong in task.wrong))


def secrets_of(questions: list[Question]) -> set[str]:
    """Pieces of every explanation between its formulas and numbers, every id and label of a cause, every option id."""
    found: set[str] = set()
    for question in questions:
        for why in explanations(question):
            pieces = [piece for piece in re.split(r"\$+[^$]*\$+|\[\[.*?\]\]", why) if len(plain(piece)) > 24]
            assert pieces
            found |= {plain(piece).strip() for piece in pieces}
        found |= {option.id for option in getattr(question.task, "options", ()) if "-" in option.id}
    for cause in (*current().misconceptions.values(), *current().slips.values()):
        found |= {cause.id, plain(cause.label).strip()}
    return found


def everything_in(response) -> str:
    headers = "\n".join(f"{name}: {value}" for name, value in response.headers.items())
    cookies = "\n".join(morsel.OutputString() for morsel in response.cookies.values())
    return response.content.decode() + headers + cookies


def responses_of(browser, sitting: Sitting) -> Iterator:
    """Every response that the addresses of an open sitting can give, as page and as JSON."""
    yield browser.get(reverse("assignments"))
    yield browser.get(reverse("assignment", args=[sitting.assignment_id]))
    yield browser.post(reverse("sitting_open", args=[sitting.assignment_id]))
    yield browser.get(reverse("review", args=[sitting.pk]))
    yield browser.get(reverse("hand_in", args=[sitting.pk]))
    yield browser.get(reverse("sitting_time", args=[sitting.pk]))
    for slot in sitting.slots.all():
        page = reverse("question", args=[sitting.pk, slot.position])
        flag = reverse("question_flag", args=[sitting.pk, slot.position])
        for accept in ("text/html", "application/json"):
            headers = {"Accept": accept}
            yield browser.get(page, headers=headers)
            for place in range(7):  # every option, and places that are not offered
                for revision in ("0", "1", "x"):
                    fields = {"choice": str(place), "number": str(place), "revision": revision}
                    yield browser.post(page, fields, headers=headers)
            yield browser.post(page, {"choice": ["1", "2"], "number": "1,000", "revision": "0"}, headers=headers)
            yield browser.post(page, {}, headers=headers)
            yield browser.post(flag, {"flagged": "1"}, headers=headers)
            yield browser.post(flag, {"flagged": "0", "revision": "0", "choice": "2"}, headers=headers)
            yield browser.get(page, {"left": "1"}, headers=headers)
            final = reverse("question_final", args=[sitting.pk, slot.position])
            yield browser.post(final, {"choice": "1", "number": "1", "revision": "0"}, headers=headers)
    yield browser.get(reverse("question", args=[sitting.pk, 99]))


def test_no_response_of_an_open_sitting_gives_an_answer_away(signed_in):
    sitting = make_sitting(make_assignment())
    browser = signed_in(sitting.enrolment.user)
    questions = [slot.snapshot.question() for slot in sitting.slots.select_related("snapshot")]
    secrets = secrets_of(questions)
    assert len(secrets) > 40

    statuses = set()
    for response in responses_of(browser, sitting):
        statuses.add(response.status_code)
        raw = everything_in(response)
        text = plain(raw)
        leaked = [secret for secret in secrets if secret in text or secret in raw]
        assert not leaked, (response.request["PATH_INFO"], leaked)
        assert not re.search(r"\b(is_right|marking_digest|misconception|slip-|correct)\b", raw)
        assert sitting.seed not in raw.split()
    assert {200, 302, 404, 409, 422} <= statuses


def test_no_page_of_an_open_sitting_holds_the_key_of_a_number(signed_in):
    sitting = make_sitting(make_assignment())
    browser = signed_in(sitting.enrolment.user)
    for slot in sitting.slots.select_related("snapshot"):
        question = slot.snapshot.question()
        if question.kind != "numeric":
            continue
        key = float(parse_expression(question.task.answer).number(slot.variant.parameters))
        if key.is_integer():
            continue  # such as 8, which any page may hold
        page = browser.get(reverse("question", args=[sitting.pk, slot.position])).content.decode()
        assert f"{key:.3f}" not in page


def test_the_same_search_finds_everything_after_hand_in(signed_in):
    """The search must be able to see: after hand-in it finds what it looked for."""
    sitting = make_sitting(make_assignment())
    browser = signed_in(sitting.enrolment.user)
    browser.post(reverse("hand_in", args=[sitting.pk]))
    text = plain(browser.get(reverse("review", args=[sitting.pk]), {"show": "all"}).content.decode())

    for slot in sitting.slots.select_related("snapshot"):
        for why in explanations(slot.snapshot.question()):
            if slot.snapshot.question().kind != "numeric" or why != slot.snapshot.question().task.otherwise.why:
                pieces = [plain(piece).strip() for piece in re.split(r"\$+[^$]*\$+|\[\[.*?\]\]", why)]
                assert max(pieces, key=len) in text


def test_a_card_gives_nothing_of_its_self_check_away_before_the_pick(signed_in):
    concept_id, question = next(iter(current_bank().self_checks.items()))
    page = signed_in(make_learner()).get(reverse("card", args=[concept_id]))

    raw = everything_in(page)
    own = {piece for piece in secrets_of([question]) if "-" not in piece or piece.startswith(("m0", "slip"))}
    assert not [secret for secret in own if secret in plain(raw) or secret in raw]
